/** What a dealer's buttons are called among the commands of `studio/domain/commands.py`. */
export const COMMANDS: Record<string, string> = {
  open_table: "OpenTable",
  close_table: "CloseTable",
  start_shoe: "StartShoe",
  end_shoe: "EndShoe",
  confirm: "ConfirmStep",
  count: "EnterCount",
  open_bets: "OpenBets",
  close_bets: "CloseBets",
  cut_card: "CutCardIsOut",
  call_supervisor: "CallSupervisor",
  answer_peek: "AnswerPeek",
};
