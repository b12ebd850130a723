import type { JSX } from "preact";

import { seatName } from "./board";
import type { Commander } from "./commands";
import { Button } from "./parts";
import type { Board, DealerView } from "./view";

const SEATS = [0, 1, 2, 3];

/** Whether the play may be called in question: from the taking of the turned card to the result. */
export function mayCall(view: DealerView, board: Board): boolean {
  return board.mode !== "" && board.ended === "" && ["dealing", "decision"].includes(view.state);
}

/** A button for each seat that may call a fault of the play: the call goes out at once and stops the table. */
export function QaydSeats({ table, commander, may }: {
  table: string; commander: Commander; may: { enabled: boolean; reason?: string };
}): JSX.Element {
  return (
    <>
      {SEATS.map((seat) => (
        <Button key={seat} id={`qayd.${seat}`} commander={commander} stop {...may} onPress={() => { void commander.press(`qayd.${seat}`, table, "ClaimQayd", { seat, note: "" }, true); }}>
          {seatName(seat)}
        </Button>
      ))}
    </>
  );
}
