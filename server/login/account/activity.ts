/**
 * The events of a user's account, for its owner to read (ASVS 6.3.5): signing in and out, passwords, factors,
 * addresses, apps. Taken from the audit log, without the ids of other users: an entry only states whether another user
 * caused it.
 */

import type { Context } from "../../context";
import { CONSOLE_CLIENT_ID } from "../../directory/reserved-names";
import type { SignInUser } from "../../directory/user/user";
import type { EventType } from "../../events/catalogue";
import { type ActivityRow, listActivity } from "../../storage/event/activity";
import { listAppNames } from "../../storage/grant/connected-apps";

/** The number of entries per page. */
const PAGE = 25;

/** The events that are shown. */
const KINDS = {
  "user.added": "created",
  "user.changed": "profileChanged",
  "user.deactivated": "deactivated",
  "user.reactivated": "reactivated",
  "user.locked": "locked",
  "user.unlocked": "unlocked",
  "user.password.changed": "passwordChanged",
  "user.password.reset_requested": "passwordResetRequested",
  "user.password.change_required": "passwordChangeRequired",
  "user.email.verification_requested": "emailRequested",
  "user.disowned": "secured",
  "user.second_factor.added": "factorAdded",
  "user.second_factor.removed": "factorRemoved",
  "user.recovery_codes.created": "codesCreated",
  "user.recovery_code.used": "codeUsed",
  "user.passkey.added": "passkeyAdded",
  "user.passkey.renamed": "passkeyRenamed",
  "user.passkey.removed": "passkeyRemoved",
  "user.signed_in": "signedIn",
  "user.signed_out": "signedOut",
  "user.consent.given": "appConfirmed",
  "user.grant.revoked": "appDisconnected",
  "user.domain.claimed": "loginNameChanged",
  "user.identity.linked": "accountLinked",
  "user.identity.unlinked": "accountUnlinked",
} as const satisfies Partial<Record<EventType, string>>;

/** The kind of an entry; the page has a text for each. */
export type ActivityKind = (typeof KINDS)[keyof typeof KINDS] | "emailChanged" | "emailConfirmed";

export interface ActivityEntry {
  kind: ActivityKind;
  /** Epoch milliseconds. */
  at: number;
  /** The network address, the email address, or the name of the object. */
  detail: string | undefined;
  /** The browser of a sign-in, such as "Firefox · Linux". */
  device: string | undefined;
  /** Whether neither the owner nor the service itself caused the event. */
  bySomebodyElse: boolean;
}

export interface ActivityPage {
  entries: ActivityEntry[];
  /** The start of the next page of older entries; undefined on the last page. */
  olderBefore: number | undefined;
}

/**
 * Returns a page of entries.
 * @param before a page's `olderBefore`; undefined for the newest entries
 */
export async function listOwnActivity(
  ctx: Context,
  { id: userId, organizationId }: Pick<SignInUser, "id" | "organizationId">,
  before?: number,
): Promise<ActivityPage> {
  const types = Object.keys(KINDS);
  const own = { type: "user", id: userId, resourceOwner: organizationId };
  const found = await listActivity(ctx.db, own, { types, before, limit: PAGE + 1 });
  const rows = found.slice(0, PAGE);
  const clientIds = rows.flatMap(({ payload }) => textOf(payload.clientId) ?? []);
  const names = new Map(await listAppNames(ctx.db, [...new Set(clientIds)]));
  const entries = rows.map((row) => ({
    kind: kindOf(row),
    at: row.createdAt,
    detail: detailOf(row, names),
    device: textOf(row.payload.device),
    bySomebodyElse: row.actor !== userId && row.actor !== "system",
  }));
  return { entries, olderBefore: found.length > PAGE ? rows.at(-1)?.sequence : undefined };
}

export interface OwnChange {
  /** The number of the event within the account. */
  sequence: number;
  type: string;
  /** Epoch milliseconds. */
  at: number;
  byOwner: boolean;
}

/**
 * Returns the events for programs, newest first.
 * @param wanted.before only events before the one with this sequence; undefined for the newest
 */
export async function listOwnChanges(
  ctx: Context,
  { id, organizationId }: Pick<SignInUser, "id" | "organizationId">,
  wanted: { before: number | undefined; limit: number },
): Promise<OwnChange[]> {
  const own = { type: "user", id, resourceOwner: organizationId };
  const rows = await listActivity(ctx.db, own, { types: Object.keys(KINDS), ...wanted });
  return rows.map(({ sequence, type, createdAt: at, actor }) => ({ sequence, type, at, byOwner: actor === id }));
}

function kindOf({ type, payload }: ActivityRow): ActivityKind {
  const kind = KINDS[type as keyof typeof KINDS];
  if (kind !== "profileChanged") return kind;
  if (payload.email) return "emailChanged";
  return isTrueNow(payload.isEmailVerified) ? "emailConfirmed" : kind;
}

function detailOf(row: ActivityRow, appNames: ReadonlyMap<string, string>): string | undefined {
  const { payload } = row;
  switch (kindOf(row)) {
    case "signedIn":
      return textOf(payload.address);
    case "emailRequested":
      return textOf(payload.email);
    case "emailChanged":
      return textOf((payload.email as { to?: unknown }).to);
    case "passkeyAdded":
    case "passkeyRenamed":
    case "passkeyRemoved":
      return textOf(payload.name);
    case "accountLinked":
    case "accountUnlinked":
      return textOf(payload.linkedUserName);
    case "loginNameChanged":
      return textOf(payload.userName);
    case "appConfirmed":
    case "appDisconnected": {
      const clientId = textOf(payload.clientId) ?? "";
      return appNames.get(clientId) ?? (clientId === CONSOLE_CLIENT_ID ? "Console" : clientId);
    }
    default:
      return undefined;
  }
}

function isTrueNow(change: unknown): boolean {
  return typeof change === "object" && change !== null && "to" in change && change.to === true;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
