/** Sessions, of all organizations or of one: listed and ended. */
import { z } from "zod";
import type { Caller } from "../../access/caller";
import type { Context } from "../../context";
import { identifier, strict } from "../../directory/fields";
import { findStoredSession } from "../../login/client/carried-session";
import { isApiError } from "../../protocol/api-error";
import { deviceName } from "../../protocol/device-name";
import {
  endActiveSession,
  findOwnerOfSession,
  findUserOfSession,
  type ListedSession,
  listActiveSessions,
} from "../../sessions/list";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, type OperationScope, operation, type PathParameters } from "../operation/operation";
import { authorizeTarget } from "../operation/perform";
import { listOf, timestamp } from "../operation/schemas";
import { carriedSession, noSuchSession, sessionToken, unstoredDetails } from "./login-sessions";

export const session = z
  .object({
    id: z.string().meta({ description: "The `sid` of its tokens" }),
    userId: z.string(),
    loginName: z.string(),
    displayName: z.string(),
    organizationId: z.string(),
    authenticationDate: timestamp,
    methods: z.array(z.string()).meta({ description: "RFC 8176", example: ["pwd", "otp"] }),
    creationDate: timestamp,
    lastSeenDate: timestamp,
    expirationDate: timestamp,
    address: z.string().optional().meta({ description: "IP address, if known" }),
    userAgent: z.string().optional().meta({ description: "The User-Agent header of the sign-in" }),
    device: z
      .string()
      .optional()
      .meta({ description: "What the header says of the device", example: "Firefox · Linux" }),
  })
  .meta({ id: "Session" });

const time = (at: number) => new Date(at).toISOString();

export function toSession(row: ListedSession): z.input<typeof session> {
  const { id, userId, loginName, displayName, organizationId, clientAddress, userAgentName } = row;
  const device = userAgentName === null ? undefined : deviceName(userAgentName);
  return {
    id,
    userId,
    loginName,
    displayName,
    organizationId,
    authenticationDate: time(row.authTime),
    methods: row.amr.split(" ").filter((method) => method !== ""),
    creationDate: time(row.createdAt),
    lastSeenDate: time(row.lastSeenAt),
    expirationDate: time(row.expiresAt),
    ...(clientAddress !== null && { address: clientAddress }),
    ...(userAgentName !== null && { userAgent: userAgentName }),
    ...(device !== undefined && { device }),
  };
}

const body = searchBody({
  userIdQuery: strict({ userId: identifier }),
  organizationIdQuery: strict({ organizationId: identifier }),
});

const tag = "Sessions";

function search(level: "instance" | "organization"): Operation {
  return operation(
    level === "instance" ? "ListInstanceSessions" : "ListSessions",
    `POST /${level === "instance" ? "admin" : "management"}/v1/sessions/_search`,
    {
      tag,
      summary: `Search active sessions of ${level === "instance" ? "everyone" : "an organization's users"}, newest first`,
      scope: { level, permission: "session.read" },
      body,
      bodyIsOptional: true,
      answer: listOf(session),
      handle(ctx, { body: { query, queries = [] }, organizationId }) {
        const within = level === "organization" ? [{ organizationId }] : [];
        const asked = queries.map(({ userIdQuery, organizationIdQuery }) => ({
          ...userIdQuery,
          ...organizationIdQuery,
        }));
        return pagedAnswer(ctx, query, listActiveSessions(ctx, [...within, ...asked]), toSession);
      },
    },
  );
}

/** The permission and the power that ending a session of another user needs. */
const ENDING = {
  level: "owner",
  permission: "session.delete",
  target: (ctx: Context, { sessionId = "" }: PathParameters) => findUserOfSession(ctx, sessionId),
  ownerOf: (ctx: Context, { sessionId = "" }: PathParameters) => findOwnerOfSession(ctx, sessionId),
} as const satisfies OperationScope;

/** Why the caller may not end the session, or the answer where nothing is left to end; undefined otherwise. */
async function endingAnswer(ctx: Context, caller: Caller, sessionId: string, sessionToken: string | undefined) {
  const userId = await findUserOfSession(ctx, sessionId);
  if (sessionToken === undefined) {
    return userId === caller.userId ? undefined : authorizeTarget(ctx, caller, ENDING, { sessionId });
  }
  const carried = carriedSession(ctx, sessionId, sessionToken);
  if (isApiError(carried)) return carried;
  // Before its last factor it is nothing but its token.
  if (userId === undefined) return unstoredDetails(ctx, carried);
  return (await findStoredSession(ctx, carried)) ? undefined : noSuchSession();
}

export const sessionOperations: readonly Operation[] = [
  search("instance"),
  search("organization"),
  operation("DeleteSession", "DELETE /v2/sessions/:sessionId", {
    tag,
    summary: "End a session and its tokens; apps with back-channel logout are notified",
    description:
      "Users end their own sessions, and callers with the token of a session that one. Others need `session.delete` where its user is, and no fewer permissions than the user.",
    scope: { level: "caller", target: "nobody" },
    body: strict({ sessionToken: sessionToken.optional() }),
    bodyIsOptional: true,
    async handle(ctx, { caller, body, parameters: { sessionId = "" } }) {
      const settled = await endingAnswer(ctx, caller, sessionId, body.sessionToken);
      if (settled) return settled;
      return answered(endActiveSession(ctx, sessionId), (ended) => changedAnswer(ctx, "user", ended.userId));
    },
  }),
];
