/** Permits and withdraws single second factors; the login policy has all of them in `secondFactors`. */
import { z } from "zod";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import { readShownPolicy } from "../../directory/policy/read";
import { permitSecondFactor, withdrawSecondFactor } from "../../directory/policy/second-factors";
import { SECOND_FACTOR_TYPES } from "../../protocol/second-factor";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { noBody } from "../users/user-ref";

const LEVELS = [
  {
    level: "instance",
    path: "/admin/v1/policies/login/second_factors",
    ids: ["ListLoginPolicySecondFactors", "AddSecondFactorToLoginPolicy", "RemoveSecondFactorFromLoginPolicy"],
    where: "on the instance",
    read: { level: "instance", permission: "iam.policy.read" },
    write: { level: "instance", permission: "iam.policy.write" },
  },
  {
    level: "organization",
    path: "/management/v1/policies/login/second_factors",
    ids: ["ListOwnSecondFactors", "AddOwnSecondFactor", "RemoveOwnSecondFactor"],
    where: "in an organization",
    read: { level: "organization", permission: "policy.read" },
    write: { level: "organization", permission: "policy.write" },
  },
] as const;

const tag = "Policies";
const type = z.enum(SECOND_FACTOR_TYPES);
const KEPT =
  "Users who have set up a withdrawn factor are still asked for it until they have another, so that no account loses protection or access.";

export const policyFactorOperations: readonly Operation[] = LEVELS.flatMap(
  ({ level, path, ids: [list, add, remove], where, read, write }): Operation[] => {
    const ownerOf = (organizationId: string) => (level === "instance" ? undefined : organizationId);
    return [
      operation(list, `POST ${path}/_search`, {
        tag,
        summary: `List the second factors that users may set up, ${where}`,
        scope: read,
        ...noBody,
        answer: z.object({
          details: z.object({ totalResult: z.string(), viewTimestamp: timestamp }),
          result: z.array(type),
        }),
        handle: (ctx, { organizationId }) => listed(ctx, ownerOf(organizationId)),
      }),
      operation(add, `POST ${path}`, {
        tag,
        summary: `Permit a second factor, ${where}`,
        description: "The other settings of the login policy are kept.",
        scope: write,
        body: strict({ type }),
        handle: async (ctx, { body, organizationId }) =>
          detailsAnswer(await permitSecondFactor(ctx, { organizationId: ownerOf(organizationId), type: body.type })),
      }),
      operation(remove, `DELETE ${path}`, {
        tag,
        summary: `Withdraw a second factor, ${where}`,
        description: KEPT,
        scope: write,
        body: strict({ type }),
        handle: async (ctx, { body, organizationId }) =>
          detailsAnswer(await withdrawSecondFactor(ctx, { organizationId: ownerOf(organizationId), type: body.type })),
      }),
    ];
  },
);

async function listed(ctx: Context, organizationId: string | undefined) {
  const { settings } = await readShownPolicy(ctx, "login", organizationId);
  const result = settings.secondFactors;
  return {
    details: { totalResult: String(result.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
    result,
  };
}
