/** Sessions, of all organizations or of one: listed and ended. */
import { z } from "zod";
import type { Context } from "../context";
import { identifier, strict } from "../directory/fields";
import { notFound } from "../protocol/api-error";
import { endSession } from "../sessions/session";
import {
  countSessions,
  findSessionOwner,
  findSessionUser,
  listSessions,
  livingSessions,
  matchSessions,
  type ShownSession,
} from "../storage/session-list";
import { changedAnswer } from "./answers";
import { listAnswer, searchBody } from "./lists";
import { type Operation, operation } from "./operation";
import { changed, listOf, moment } from "./schemas";

const session = z
  .object({
    id: z.string().meta({ description: "The `sid` of its tokens" }),
    userId: z.string(),
    loginName: z.string(),
    displayName: z.string(),
    organizationId: z.string(),
    authenticationDate: moment,
    methods: z.array(z.string()).meta({ description: "RFC 8176", example: ["pwd", "otp"] }),
    creationDate: moment,
    lastSeenDate: moment,
    expirationDate: moment,
    address: z.string().optional().meta({ description: "IP address, if known" }),
    userAgent: z.string().optional(),
  })
  .meta({ id: "Session" });

const time = (at: number) => new Date(at).toISOString();

function toSession(row: ShownSession): z.input<typeof session> {
  const { id, userId, loginName, displayName, organizationId, clientAddress, userAgentName } = row;
  return {
    ...{ id, userId, loginName, displayName, organizationId },
    authenticationDate: time(row.authTime),
    methods: row.amr.split(" ").filter((method) => method !== ""),
    creationDate: time(row.createdAt),
    lastSeenDate: time(row.lastSeenAt),
    expirationDate: time(row.expiresAt),
    ...(clientAddress !== null && { address: clientAddress }),
    ...(userAgentName !== null && { userAgent: userAgentName }),
  };
}

function living(ctx: Context) {
  const now = ctx.clock();
  return livingSessions(now, now - ctx.config.lifetimes.sessionIdle);
}

const body = searchBody({
  userIdQuery: strict({ userId: identifier }),
  organizationIdQuery: strict({ organizationId: identifier }),
});

const tag = "Sessions";

function search(level: "instance" | "organization"): Operation {
  return operation({
    id: level === "instance" ? "ListInstanceSessions" : "ListSessions",
    method: "POST",
    path: `/${level === "instance" ? "admin" : "management"}/v1/sessions/_search`,
    tag,
    summary: `Search active sessions of ${level === "instance" ? "everybody" : "an organization's people"}, newest first`,
    scope: { level, permission: "session.read" },
    body,
    bodyIsOptional: true,
    answer: listOf(session),
    handle(ctx, { body, organizationId }) {
      const where = living(ctx);
      if (level === "organization") matchSessions(where, { organizationId });
      for (const { userIdQuery, organizationIdQuery } of body.queries ?? []) {
        matchSessions(where, { ...userIdQuery, ...organizationIdQuery });
      }
      return listAnswer(ctx, body.query, {
        places: ["string", "string"],
        page: ({ ascending, ...wanted }) => listSessions(ctx.db, where, { ...wanted, descending: ascending !== true }),
        count: () => countSessions(ctx.db, where),
        items: (rows) => rows.map(toSession),
      });
    },
  });
}

export const sessionOperations: readonly Operation[] = [
  search("instance"),
  search("organization"),
  operation({
    id: "DeleteSession",
    method: "DELETE",
    path: "/v2/sessions/:sessionId",
    tag,
    summary: "End a session and its tokens; apps with back-channel logout are notified",
    scope: {
      level: "owner",
      permission: "session.delete",
      over: (ctx, { sessionId = "" }) => findSessionUser(ctx.db, sessionId),
      ownerOf: (ctx, { sessionId = "" }) => findSessionOwner(ctx.db, sessionId),
    },
    answer: changed,
    async handle(ctx, { parameters, origin }) {
      const where = living(ctx);
      matchSessions(where, { id: parameters.sessionId ?? "" });
      const { rows } = await listSessions(ctx.db, where, { after: undefined, offset: 0, limit: 1, descending: true });
      const [found] = rows;
      if (!found) return notFound("session.not_found", "There is no such session any more.");
      await endSession(ctx, found, origin);
      return changedAnswer(ctx, "user", found.userId);
    },
  }),
];
