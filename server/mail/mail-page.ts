/**
 * Access control of the mail page. Listing messages needs the permission to read users' addresses. The content is only
 * shown to administrators of the instance, as an unsent mail may contain a code that opens its recipient's account
 * (attack: a lesser administrator reads a user's reset code).
 */
import type { Caller } from "../access/caller";
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { hasPermission } from "../directory/member/permissions";
import { type ApiError, failedPrecondition, invalidArgument, notFound } from "../protocol/api-error";
import { isTimestamp } from "../protocol/moment";
import { reason } from "../protocol/reason";
import type { MessageFilter, OutboxLogRow } from "../storage/message/outbox-log";
import {
  findMessage,
  listMessages,
  MAX_RETRIED,
  type MessageWithContent,
  retryMessage,
  retryMessages,
} from "./mailbox";

/** The messages of one organization, or, at instance level, all of them. */
export interface MailScope {
  caller: Caller;
  level: "instance" | "organization";
  /** At organization level, the organization in the request; undefined: the caller's own. */
  organizationId?: string;
}

export interface MailPage {
  messages: OutboxLogRow[];
  /** Token of the next page; undefined on the last page. */
  nextPageToken?: string;
}

/** The filter; at organization level the scope determines the organization. */
export type MailFilter = MessageFilter;

export interface MailPageWanted extends MailFilter {
  limit?: number;
  pageToken?: string;
}

const PAGE = 50;
const MAX_PAGE_SIZE = 200;

/** Returns a page of messages, newest first. */
export async function mailPage(ctx: Context, scope: MailScope, wanted: MailPageWanted): Promise<MailPage | ApiError> {
  const { limit = PAGE, pageToken, ...filter } = wanted;
  const organizationId = organizationOf(scope);
  const refusal = await checkPermission(ctx, scope.caller, "user.read", { organizationId });
  if (refusal) return refusal;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE) {
    return invalidArgument("page.bad_limit", `A page has 1 to ${MAX_PAGE_SIZE} messages.`, {
      field: "limit",
      reason: reason("between", { least: 1, most: MAX_PAGE_SIZE }),
    });
  }
  const after = pageToken === undefined ? undefined : readPageToken(pageToken);
  if (after === null)
    return invalidArgument("page.bad_token", "This page does not exist. Start from the first one.", {
      field: "pageToken",
    });
  const messages = await listMessages(ctx, { ...within(filter, organizationId), after, limit });
  const last = messages.at(-1);
  return messages.length === limit && last ? { messages, nextPageToken: makePageToken(last) } : { messages };
}

/** Returns one message, with its content if the caller may change the instance's settings. */
export async function mailOf(ctx: Context, scope: MailScope, id: string): Promise<MessageWithContent | ApiError> {
  const organizationId = organizationOf(scope);
  const refusal = await checkPermission(ctx, scope.caller, "user.read", { organizationId });
  if (refusal) return refusal;
  const found = await findMessage(ctx, id);
  if (!found || (organizationId !== undefined && found.organizationId !== organizationId)) return noSuchMessage();
  if (await hasPermission(ctx, scope.caller.userId, "iam.policy.write")) return found;
  const { rendered: _, ...row } = found;
  return row;
}

/** Puts a failed message back into the queue. */
export async function retryMail(ctx: Context, scope: MailScope, id: string): Promise<object | ApiError> {
  const organizationId = organizationOf(scope);
  const permission = organizationId === undefined ? "iam.policy.write" : "policy.write";
  const refusal = await checkPermission(ctx, scope.caller, permission, { organizationId });
  if (refusal) return refusal;
  const found = await findMessage(ctx, id);
  if (!found || (organizationId !== undefined && found.organizationId !== organizationId)) return noSuchMessage();
  if (await retryMessage(ctx, id)) return {};
  return failedPrecondition("message.not_failed", "Only messages that failed and have not expired can be sent again.");
}

/**
 * Puts the failed messages that match back into the queue, oldest first.
 * @returns how many, and whether there may be more: at most MAX_RETRIED are retried at once
 */
export async function retryMails(
  ctx: Context,
  scope: MailScope,
  filter: MailFilter,
): Promise<{ retried: number; hasMore: boolean } | ApiError> {
  const organizationId = organizationOf(scope);
  const permission = organizationId === undefined ? "iam.policy.write" : "policy.write";
  const refusal = await checkPermission(ctx, scope.caller, permission, { organizationId });
  if (refusal) return refusal;
  const retried = await retryMessages(ctx, within(filter, organizationId));
  return { retried, hasMore: retried === MAX_RETRIED };
}

/** Restricts the filter to the scope, ignoring an organization in the filter. */
function within(filter: MailFilter, organizationId: string | undefined): MessageFilter {
  return organizationId === undefined ? filter : { ...filter, organizationId };
}

function organizationOf({ level, caller, organizationId }: MailScope): string | undefined {
  return level === "instance" ? undefined : (organizationId ?? caller.organizationId);
}

const noSuchMessage = () => notFound("message.not_found", "This message does not exist. Check its ID.");

function makePageToken({ createdAt, id }: OutboxLogRow): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

/**
 * Returns null if the token is malformed. A page token identifies a position in a list and grants nothing, so it is not
 * sealed.
 */
function readPageToken(token: string): { createdAt: number; id: string } | null {
  try {
    const [createdAt, id, ...rest] = JSON.parse(Buffer.from(token.slice(0, 500), "base64url").toString()) as unknown[];
    const isPlace = typeof createdAt === "number" && isTimestamp(createdAt);
    return isPlace && typeof id === "string" && /^[\w.-]{1,100}$/.test(id) && rest.length === 0
      ? { createdAt, id }
      : null;
  } catch {
    return null;
  }
}
