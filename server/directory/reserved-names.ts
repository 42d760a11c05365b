/**
 * Names of the service itself. Tokens for them are accepted by its APIs or its console, and people would mistake what is
 * called so for the service (attack: an app named like the console). This is the only place that knows them and how
 * they are compared; everything that gives a name or an id asks here, whoever wants it: an API, a page or a file.
 */
import { serviceAudience } from "../protocol/management";
import { type Reason, reason } from "../protocol/reason";
import { comparableLoginName } from "./names";

/** The client id of the console, which has no row (app/console-client.ts). */
export const CONSOLE_CLIENT_ID = "console";

/** Each with the reason, to be read after the name. */
const RESERVED: ReadonlyMap<string, Reason> = new Map([
  [serviceAudience, reason("reserved")],
  [CONSOLE_CLIENT_ID, reason("reserved_console")],
]);

/**
 * Why nothing may be called that, in whatever spelling looks the same: client ids, ids and names of projects, names of
 * machines, ids of users and organizations. Undefined if it may.
 */
export const whyReserved = (name: string): Reason | undefined => RESERVED.get(comparableLoginName(name));
