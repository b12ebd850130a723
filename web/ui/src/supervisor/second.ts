import { known, say } from "../shared/i18n";

/** How a second person says on this console who it is. */
export interface Identity { number: string; pin: string; badge: string }

/** What the second person says. */
export type Word = "approve" | "decline";

interface Problem { code?: string; detail?: string; text?: string; status?: string | number }

/**
 * Let a second person approve or decline on the first person's console, for this one act.
 *
 * Gives an empty text if it was done, else the reason in words. The same `id` may be sent again.
 */
export async function sayHere(table: string, approval: string, word: Word, who: Identity, reason: string, id: string): Promise<string> {
  const body = { table, approval, word, reason, command_id: id, ...who };
  try {
    const answer = await fetch("/api/ui/approve", {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body),
    });
    const given = await answer.json() as Problem;
    if (answer.ok && given.status === "done") return "";
    if (given.code && known(given.code)) return say(given.code);
    return given.detail ?? given.text ?? say("refused.not_now");
  } catch {
    return say("refused.unreachable");
  }
}
