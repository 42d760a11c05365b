/**
 * Changes several people at once. Each is changed by itself, as by the operation for one, so the answer
 * says of each whether it was done; power over them is asked of each, too.
 */
import { z } from "zod";
import { identifier, name, strict } from "../../directory/fields";
import type { Permission } from "../../directory/member/permissions";
import type { UserRef } from "../../directory/user/change";
import { changeEach, MAX_EACH, sendInvitation, setStateOrLeave } from "../../directory/user/each";
import { revokeInvitation } from "../../directory/user/invite";
import type { StateChange } from "../../directory/user/set-state";
import { giveRoles } from "../../directory/user-grant/edit";
import type { OriginContext } from "../../events/record";
import { refusalText } from "../../http/refusal-texts";
import { removeUserWithTokens } from "../../oidc/revoke-provider-tokens";
import type { ApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { type Operation, type OperationAddress, operation } from "../operation/operation";

const tag = "Users";
const PATH = "/management/v1/users";

const userIds = z
  .array(identifier)
  .min(1, { error: issue("empty") })
  .max(MAX_EACH, { error: issue("entries", { n: MAX_EACH }) });

/** A refusal in the caller's language, beside what it is about. */
export const rowError = z.object({ id: z.string(), message: z.string(), field: z.string().optional() });

export const toRowError = (error: ApiError, language: string): z.input<typeof rowError> => ({
  id: error.id,
  message: refusalText(language, error),
  ...(error.field !== undefined && { field: error.field }),
});

const answer = z
  .object({
    changed: z.int(),
    refused: z.int(),
    results: z.array(
      z.object({ userId: z.string(), error: rowError.optional().meta({ description: "Left out if it succeeded" }) }),
    ),
  })
  .meta({ id: "BulkAnswer" });

type Work = (ctx: OriginContext, ref: UserRef) => Promise<unknown>;

async function eachAnswer(
  ctx: OriginContext,
  call: { organizationId: string; language: string; body: { userIds: readonly string[] } },
  work: Work,
): Promise<z.input<typeof answer>> {
  const place = { organizationId: call.organizationId, userIds: call.body.userIds };
  const outcomes = await changeEach(place, (one) => work(ctx, one));
  const refused = outcomes.filter(({ error }) => error).length;
  const results = outcomes.map(({ userId, error }) => ({
    userId,
    ...(error && { error: toRowError(error, call.language) }),
  }));
  return { changed: outcomes.length - refused, refused, results };
}

interface Bulk {
  permission?: Extract<Permission, "user.write" | "user.delete">;
  summary: string;
  description?: string;
  work: Work;
}

const bulk = (id: string, address: OperationAddress, { permission = "user.write", work, ...rest }: Bulk): Operation =>
  operation(id, address, {
    ...rest,
    tag,
    scope: { level: "organization", permission, target: "listed" },
    effort: "heavy",
    body: strict({ userIds }),
    answer,
    handle: (ctx, call) => eachAnswer(ctx, call, work),
  });

const bulkState = (id: string, change: Exclude<StateChange, "lock">, verb: string) =>
  bulk(id, `POST ${PATH}/_bulk_${change}`, {
    summary: `${verb} up to ${MAX_EACH} users, each by itself`,
    description: "Users who are already in that state count as changed.",
    work: (ctx, ref) => setStateOrLeave(ctx, ref, change),
  });

export const userBulkOperations: readonly Operation[] = [
  bulkState("BulkDeactivateUsers", "deactivate", "Deactivate"),
  bulkState("BulkReactivateUsers", "reactivate", "Reactivate"),
  bulkState("BulkUnlockUsers", "unlock", "Unlock"),
  bulk("BulkSendInvitations", `POST ${PATH}/_bulk_send_invitation`, {
    summary: `Mail up to ${MAX_EACH} users without a password an invitation, for the first time or again`,
    description: "Sends the message `invite_user`; earlier links become invalid.",
    work: sendInvitation,
  }),
  bulk("BulkRevokeInvitations", `POST ${PATH}/_bulk_revoke_invitation`, {
    summary: `Revoke the invitations of up to ${MAX_EACH} users, each by itself`,
    work: revokeInvitation,
  }),
  bulk("BulkRemoveUsers", `DELETE ${PATH}/_bulk`, {
    permission: "user.delete",
    summary: `Remove up to ${MAX_EACH} users with all their data, each by itself`,
    work: removeUserWithTokens,
  }),
  operation("BulkGiveRoles", `POST ${PATH}/grants/_bulk`, {
    tag: "User grants",
    summary: `Give up to ${MAX_EACH} users roles of a project, each by itself`,
    description: "Existing roles are kept.",
    scope: { level: "projects", permission: "user.grant.write", target: "nobody" },
    effort: "heavy",
    body: strict({ userIds, projectId: identifier, roleKeys: z.array(name).max(100) }),
    answer,
    handle(ctx, call) {
      const { projectId, roleKeys } = call.body;
      return eachAnswer(ctx, call, (_, { userId }) => giveRoles(ctx, call, { userId, projectId, roleKeys }));
    },
  }),
];
