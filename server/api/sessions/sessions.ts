/** Sessions, of all organizations or of one: listed and ended. */
import { z } from "zod";
import { identifier, strict } from "../../directory/fields";
import { deviceName } from "../../protocol/device-name";
import {
  endActiveSession,
  findOwnerOfSession,
  findUserOfSession,
  type ListedSession,
  listActiveSessions,
} from "../../sessions/list";
import { answered, changedAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { pagedAnswer } from "../operation/paged";
import { listOf, timestamp } from "../operation/schemas";

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

export const sessionOperations: readonly Operation[] = [
  search("instance"),
  search("organization"),
  operation("DeleteSession", "DELETE /v2/sessions/:sessionId", {
    tag,
    summary: "End a session and its tokens; apps with back-channel logout are notified",
    scope: {
      level: "owner",
      permission: "session.delete",
      target: (ctx, { sessionId = "" }) => findUserOfSession(ctx, sessionId),
      ownerOf: (ctx, { sessionId = "" }) => findOwnerOfSession(ctx, sessionId),
    },
    handle: (ctx, { parameters, origin }) =>
      answered(endActiveSession(ctx, parameters.sessionId ?? "", origin), (ended) =>
        changedAnswer(ctx, "user", ended.userId),
      ),
  }),
];
