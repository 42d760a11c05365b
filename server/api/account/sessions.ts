/** The sessions of the caller, and the events of the account. */
import { z } from "zod";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import { listOwnChanges, type OwnChange } from "../../login/account/activity";
import { type ListedSession, listActiveSessions } from "../../sessions/list";
import { pagedAnswer } from "../operation/answers";
import { searchBody, USUAL_LIMIT } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { listOf, listQuery, timestamp, wholeNumberUpTo } from "../operation/schemas";
import { session, toSession } from "../sessions/sessions";
import { OWN, OWN_PATH } from "../users/own";

/** The largest sequence number of an event. */
const MAX_SESSIONS = 2 ** 31 - 1;
const state = z.literal("SESSION_STATE_ACTIVE");
const ownSession = session.extend({ sessionId: z.string(), authState: state }).meta({ id: "OwnSession" });
const list = searchBody({});

const toOwnSession = (row: ListedSession): z.input<typeof ownSession> => ({
  ...toSession(row),
  sessionId: row.id,
  authState: "SESSION_STATE_ACTIVE",
});

const change = z
  .object({
    changeDate: timestamp,
    eventType: z.object({ key: z.string().meta({ example: "user.password.changed" }) }),
    sequence: z.string(),
    editorId: z.string().optional().meta({ description: "The caller; left out for any other author" }),
    resourceOwnerId: z.string(),
  })
  .meta({ id: "OwnChange" });

const toChange = (row: OwnChange, { userId, organizationId }: { userId: string; organizationId: string }) => ({
  changeDate: new Date(row.at).toISOString(),
  eventType: { key: row.type },
  sequence: String(row.sequence),
  editorId: row.byOwner ? userId : undefined,
  resourceOwnerId: organizationId,
});

export const ownSessionOperations: readonly Operation[] = [
  operation("ListMyUserSessions", `POST ${OWN_PATH}/sessions/_search`, {
    ...OWN,
    summary: "List the caller's active sessions on all devices, newest first",
    body: list,
    bodyIsOptional: true,
    answer: listOf(ownSession),
    handle: (ctx: Context, call) =>
      pagedAnswer(ctx, call.body.query, listActiveSessions(ctx, [{ userId: call.caller.userId }]), toOwnSession),
  }),
  operation("ListMyUserChanges", `POST ${OWN_PATH}/changes/_search`, {
    ...OWN,
    summary: "List what happened to the caller's account, newest first",
    description: "The author is returned only if it is the caller. `sequence` is the last one of the previous page.",
    body: strict({
      query: strict({ sequence: wholeNumberUpTo(MAX_SESSIONS).optional(), limit: listQuery.shape.limit }).optional(),
    }),
    bodyIsOptional: true,
    answer: z.object({ result: z.array(change) }),
    async handle(ctx, { body: { query = {} }, caller }) {
      const { userId: id, organizationId } = caller;
      const { sequence: before, limit } = query;
      const rows = await listOwnChanges(ctx, { id, organizationId }, { before, limit: limit || USUAL_LIMIT });
      return { result: rows.map((row) => toChange(row, caller)) };
    },
  }),
];
