/**
 * Reading attempts to sign in. An organization reads those of its people whole. Of others, and of nobody known, it reads
 * those in its own flows, told as the page told them to whoever made the attempt: without who it was, without the whole
 * address, and found by neither person nor name, so that no search answers whether there is an account elsewhere
 * (protocol/sign-in-attempt.ts). Filters are asked of what is told, not of what is stored.
 */
import type { Context } from "../../context";
import {
  addressForOthers,
  isAboutRequest,
  type ReadReason,
  reasonForOthers,
  storedReasons,
} from "../../protocol/sign-in-attempt";
import { type AttemptPage, type AttemptSide, type ListedAttempt, listAttempts } from "../../storage/sign-in-attempts";
import { findPeopleForSignIn } from "../user/user";
import { flushAttempts } from "./batch";
import { nameDigestOf } from "./note";

/** An attempt as its reader may know it. Times are epoch milliseconds. */
export type ReadAttempt = Omit<ListedAttempt, "reason" | "nameDigest" | "flowOrganizationId"> & { reason: ReadReason };

export interface AttemptSearch {
  userId?: string;
  /** As typed at the sign-in, or as the person is named. */
  loginName?: string;
  clientId?: string;
  reason?: ReadReason;
  /** Epoch milliseconds, both included. */
  from?: number;
  to?: number;
}

/** Who reads: an organization, or the service, which may ask for the attempts of one organization. */
export type AttemptReader =
  | { level: "organization"; organizationId: string }
  | { level: "instance"; organizationId?: string };

/** One page, newest first. @returns with whether there are more */
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
    // The id of another organization's app is of no use, and none of theirs.
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

/** Those who are called so, and what was typed so. */
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
