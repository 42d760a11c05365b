/** Creates an organization together with its first manager. */
import { z } from "zod";
import { changeDirectory } from "../../directory/change";
import * as field from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import { addMembership } from "../../directory/member/membership";
import { checkPowerToGive } from "../../directory/member/power";
import { ORGANIZATION_ROLES } from "../../directory/member/roles";
import { createOrganization, removeOrganization } from "../../directory/organization/organization";
import { addPersonWithLetter } from "../../login/add-person";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "./answers";
import { type Operation, operation } from "./operation";
import { details } from "./schemas";
import { humanShape, password, toPerson } from "./user-schemas";

const { strict } = field;

export const organizationSetupOperations: readonly Operation[] = [
  operation({
    id: "SetUpOrg",
    method: "POST",
    path: "/admin/v1/orgs/_setup",
    tag: "Organizations",
    summary: "Add an organization with its first manager",
    description: "If the person cannot be added, the organization is not created either.",
    scope: { level: "instance", permission: "iam.write", over: "nobody" },
    body: strict({
      org: strict({ name: field.name, id: field.identifier.optional() }),
      human: strict({ ...humanShape, password: password.optional() }),
      roles: z.array(z.enum(ORGANIZATION_ROLES)).min(1).optional().meta({ description: "ORG_OWNER by default" }),
    }),
    answer: z.object({ orgId: z.string(), userId: z.string(), details }),
    async handle(ctx, { body, caller, origin }) {
      const { org, human, roles = ["ORG_OWNER"] } = body;
      const instance = await findInstance(ctx);
      const made = await createOrganization(ctx, org, origin);
      if (isApiError(made)) return made;
      const organizationId = made.id;
      const { password: given, ...person } = human;
      const fields = { ...toPerson(person), id: human.userId, organizationId, email: human.email.email };
      const added =
        (await checkPowerToGive(ctx, caller.userId, roles, { organizationId })) ??
        (await addPersonWithLetter(ctx, { ...fields, password: given }, { delivery: "send" }, origin));
      if (isApiError(added)) {
        await removeOrganization(ctx, organizationId, origin);
        return added;
      }
      await changeDirectory(ctx, async (tx) => {
        for (const role of new Set(roles)) {
          const membership = { userId: added.id, role, instanceId: instance.id, organizationId };
          await addMembership(ctx, tx, membership, origin);
        }
      });
      return { orgId: organizationId, userId: added.id, ...(await changedAnswer(ctx, "organization", organizationId)) };
    },
  }),
];
