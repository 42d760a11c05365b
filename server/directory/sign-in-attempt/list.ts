/**
 * Reads sign-in attempts. An organization reads the attempts of its own users in full. Of the attempts of other and
 * unknown users, it reads those in its own flows, with the information that the sign-in page showed: without the user
 * and the full address, and not searchable by user or name, so that no search reveals whether an account exists
 * elsewhere (protocol/sign-in-attempt.ts). Filters apply to what is shown, not to what is stored.
 */
import type { Context } from "../../context";
import {
  addressForOthers,
  isAboutRequest,
  type ReadReason,
  reasonForOthers,
  storedReasons,
} from "../../protocol/sign-in-attempt";
import { type AttemptPage, type AttemptSide, type ListedAttempt, listAttempts } from "../../storage/sign-in/attempts";
import { findPeopleForSignIn } from "../user/user";
import { flushAttempts } from "./batch";
import { nameDigestOf } from "./note";

/** An attempt as its reader may see it. Times are epoch milliseconds. */
export type ReadAttempt = Omit<ListedAttempt, "reason" | "nameDigest" | "flowOrganizationId"> & { reason: ReadReason };

export interface AttemptSearch {
  userId?: string;
  /** The name as typed at the sign-in, or a name of the user. */
  loginName?: string;
  clientId?: string;
  reason?: ReadReason;
  /** Epoch milliseconds, both inclusive. */
  from?: number;
  to?: number;
}

/** The reader: an organization, or the service, which may request the attempts of one organization. */
export type AttemptReader =
  | { level: "organization"; organizationId: string }
  | { level: "instance"; organizationId?: string };

/**
 * Reads one page, newest first.
 * @returns the attempts and whether they are the last page
 */
export async function readAttempts(
  ctx: Context,
  reader: AttemptReader,
  search: AttemptSearch,
  { after, limit }: AttemptPage,
): Promise<{ attempts: ReadAttempt[]; isLast: boolean }> {
  await flushAttempts(ctx);
  const rows = await listAttempts(ctx.db, await sidesOf(ctx, reader, search), { after, limit: limit + 1 });
  const isOthers = ({ organizationId }: ListedAttempt) =>
    reader.level === "organization" && organizationId !== reader.organizationId;
  const hasApp = ({ appOrganizationId }: ListedAttempt) =>
    reader.level === "instance" || appOrganizationId === reader.organizationId;
  const attempts = rows.slice(0, limit).map((row) => {
    const told = isOthers(row) ? shownToOthers(row) : whole(row);
    // The id of another organization's app is of no use to the reader and is not disclosed.
    return hasApp(row) ? told : { ...told, appId: null, projectId: null, appOrganizationId: null };
  });
  return { attempts, isLast: rows.length <= limit };
}

async function sidesOf(
  ctx: Context,
  { level, organizationId }: AttemptReader,
  { loginName, reason, userId, clientId, from, to }: AttemptSearch,
): Promise<AttemptSide[]> {
  const whom = loginName === undefined ? undefined : await whomOf(ctx, loginName, organizationId);
  const filter = { userId, clientId, from, to };
  const reasons = (side: "own" | "other") => reason && storedReasons(reason, side);
  const all = { ...filter, whom, reasons: reasons("own") };
  if (organizationId === undefined) return [all];
  const own: AttemptSide = { ...all, of: { organizationId, side: "own" } };
  const side = { organizationId, side: "other" } as const;
  if (level === "instance") return [own, { ...all, of: side }];
  const asksWho = filter.userId !== undefined || whom !== undefined;
  return asksWho ? [own] : [own, { ...filter, reasons: reasons("other"), of: side }];
}

/** Returns the users with this name, and the digest of the typed name. */
async function whomOf(
  ctx: Context,
  loginName: string,
  organizationId: string | undefined,
): Promise<AttemptSide["whom"]> {
  const people = await findPeopleForSignIn(ctx, loginName, { organizationId });
  return { userIds: people.map(({ id }) => id), nameDigests: [nameDigestOf(ctx, loginName)] };
}

function whole({ nameDigest: _, flowOrganizationId: __, ...row }: ListedAttempt): ReadAttempt {
  return row;
}

function shownToOthers(row: ListedAttempt): ReadAttempt {
  const {
    id,
    createdAt,
    lastAt,
    count,
    reason,
    clientId,
    appName,
    appId,
    projectId,
    appOrganizationId,
    address,
    device,
    detail,
  } = row;
  return {
    id,
    createdAt,
    lastAt,
    count,
    reason: reasonForOthers(reason),
    clientId,
    appName,
    appId,
    projectId,
    appOrganizationId,
    device,
    address: address && addressForOthers(address),
    detail: isAboutRequest(reason) ? detail : null,
    userId: null,
    organizationId: null,
    loginName: null,
    displayName: null,
  };
}
