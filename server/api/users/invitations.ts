/** Invites users by their addresses, with roles. */
import { z } from "zod";
import { checkPermission } from "../../access/permissions";
import * as field from "../../directory/fields";
import { type Invited, invitePeople, MAX_INVITED } from "../../directory/invitation/invite-people";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { type Operation, operation } from "../operation/operation";
import { rowError, toRowError } from "./bulk";

/** UTF-16 units. */
const MAX_TYPED = 500;
/** No address yet: one that is malformed is named among the others. */
const typed = z
  .string()
  .max(MAX_TYPED, { error: issue("too_long", { n: MAX_TYPED }) })
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: issue("control") });

function resultOf({ email, userId, error }: Invited, index: number, language: string) {
  const refused = error && { error: toRowError(error, language) };
  return { index, email, ...(userId !== undefined && { userId }), ...refused };
}

export const userInvitationOperations: readonly Operation[] = [
  operation("InviteUsers", "POST /management/v1/users/_invite", {
    tag: "Users",
    summary: `Invite up to ${MAX_INVITED} users by their email addresses`,
    description:
      "For each address, a user with the address as user name is created, gets the given roles, and is sent the message `invite_user`. " +
      "All addresses are validated before anything is sent. A dry run sends nothing.",
    scope: { level: "organization", permission: "user.write", target: "nobody" },
    effort: "heavy",
    body: field
      .strict({
        emails: z
          .array(typed)
          .min(1, { error: issue("empty") })
          .max(MAX_INVITED, { error: issue("entries", { n: MAX_INVITED }) })
          .meta({ example: ["ada@example.com"] }),
        projectId: field.identifier.optional().meta({ description: "Takes the permission to give its roles" }),
        roleKeys: z.array(field.name).max(100).optional(),
        dryRun: z.boolean().optional(),
        mode: z
          .enum(["ALL_OR_NOTHING", "EACH_BY_ITSELF"])
          .optional()
          .meta({ description: "ALL_OR_NOTHING by default: no one is invited unless everyone can be" }),
      })
      .refine(({ projectId, roleKeys }) => roleKeys === undefined || projectId !== undefined, {
        path: ["projectId"],
        error: issue("required"),
      }),
    answer: z.object({
      dryRun: z.boolean(),
      invited: z.int().meta({ description: "How many emails are on their way; in a dry run: how many would be" }),
      refused: z.int(),
      results: z.array(
        z.object({
          index: z.int(),
          email: z.string(),
          userId: z.string().optional().meta({ description: "The new user, or who has the address here already" }),
          error: rowError.optional(),
        }),
      ),
    }),
    async handle(ctx, { body, caller, organizationId, language }) {
      const { emails, projectId, roleKeys = [], dryRun = false, mode = "ALL_OR_NOTHING" } = body;
      const roles = projectId === undefined ? undefined : { projectId, roleKeys };
      const refusal =
        roles &&
        (await checkPermission(ctx, caller, "user.grant.write", { organizationId, projectId: roles.projectId }));
      if (refusal) return refusal;
      const how = { dryRun, eachByItself: mode === "EACH_BY_ITSELF" };
      const outcome = await invitePeople(ctx, { organizationId, emails, roles }, how);
      if (isApiError(outcome)) return outcome;
      const refused = outcome.filter(({ error }) => error).length;
      const invited = refused > 0 && !how.eachByItself ? 0 : outcome.length - refused;
      return { dryRun, invited, refused, results: outcome.map((one, index) => resultOf(one, index, language)) };
    },
  }),
];
