/**
 * Names of the service itself. Tokens for them are accepted by its APIs or its console, and users would mistake an
 * object with such a name for the service (attack: an app named like the console). So are addresses that may be those
 * of metadata documents (attack: a tenant that takes another application's client id before it comes). Only this
 * module knows the names and how they are compared. Everything that assigns a name or an id checks it here: APIs,
 * pages and files.
 */
import { looksLikeDocument } from "../protocol/client-document";
import { serviceAudience } from "../protocol/management";
import { type Reason, reason } from "../protocol/reason";
import { comparableLoginName } from "./names";

/** The client id of the console, which has no row (app/console-client.ts). */
export const CONSOLE_CLIENT_ID = "console";

/** The reserved names with the reason, which completes a sentence that begins with the name. */
const RESERVED: ReadonlyMap<string, Reason> = new Map([
  [serviceAudience, reason("reserved")],
  [CONSOLE_CLIENT_ID, reason("reserved_console")],
]);

/**
 * Returns why a name is reserved, in any spelling that looks the same; undefined if it is not. For client ids, ids and
 * names of projects, names of machines, and ids of users and organizations.
 */
export const whyReserved = (name: string): Reason | undefined =>
  looksLikeDocument(name) ? reason("reserved_document") : RESERVED.get(comparableLoginName(name));
