import { boot } from "./boot";

const LEADS = ["supervisor", "pit-boss"];

/**
 * Whether this role may ever claim, hold or correct (`studio/live/rights.py`); the server decides, this
 * only leaves out what it would always refuse. Without a person, as in a drawing, nothing is left out.
 */
export function leads(role: string | undefined = boot.person?.role): boolean {
  return role === undefined || LEADS.includes(role);
}
