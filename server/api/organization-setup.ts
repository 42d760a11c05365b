/** Creates an organization together with its first manager. */
import { z } from "zod";
import { newId } from "../crypto/random";
import * as field from "../directory/fields";
import { findInstance } from "../directory/instance";
import { addMembership } from "../directory/member/membership";
import { checkPowerToGive } from "../directory/member/power";
import { ORGANIZATION_ROLES } from "../directory/member/roles";
import { addOrganizationWithDomain } from "../directory/organization/organization";
import { addPersonWithLetter } from "../login/add-person";
import { isApiError } from "../protocol/api-error";
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
      const { id: instanceId } = await findInstance(ctx);
      const organizationId = org.id ?? newId();
      const { password: given, ...person } = human;
      const fields = { ...toPerson(person), id: human.userId, organizationId, email: human.email.email };
      // Nobody has a role on the new organization yet, so those on the instance decide.
      const refusal = await checkPowerToGive(ctx, caller.userId, roles, {});
      if (refusal) return refusal;
      const added = await addPersonWithLetter(ctx, { ...fields, password: given }, { delivery: "send" }, origin, {
        async before(tx) {
          const made = await addOrganizationWithDomain(ctx, tx, { ...org, id: organizationId }, origin);
          return isApiError(made) ? made : undefined;
        },
        async after(tx, userId) {
          for (const role of new Set(roles)) {
            await addMembership(ctx, tx, { userId, role, instanceId, organizationId }, origin);
          }
        },
      });
      if (isApiError(added)) return added;
      return { orgId: organizationId, userId: added.id, ...(await changedAnswer(ctx, "organization", organizationId)) };
    },
  }),
];
