/** Creates an organization together with its first manager. */
import { z } from "zod";
import * as field from "../../directory/fields";
import { ORGANIZATION_ROLES } from "../../directory/member/roles";
import { setUpOrganization } from "../../directory/organization/edit";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { humanShape, password, toPerson } from "../users/schemas";

const { strict } = field;

export const organizationSetupOperations: readonly Operation[] = [
  operation("SetUpOrg", "POST /admin/v1/orgs/_setup", {
    tag: "Organizations",
    summary: "Add an organization with its first administrator",
    description: "If the user cannot be added, the organization is not created either.",
    scope: { level: "instance", permission: "iam.write", target: "nobody" },
    body: strict({
      org: strict({ name: field.name, id: field.identifier.optional() }),
      human: strict({ ...humanShape, password: password.optional() }),
      roles: z.array(z.enum(ORGANIZATION_ROLES)).min(1).optional().meta({ description: "ORG_OWNER by default" }),
    }),
    answer: z.object({ orgId: z.string(), userId: z.string(), details }),
    async handle(ctx, { body: { org, human, roles } }) {
      const { password, ...person } = human;
      const manager = { ...toPerson(person), id: human.userId, email: human.email.email, password };
      const made = await setUpOrganization(ctx, { organization: org, manager, roles: roles ?? ["ORG_OWNER"] });
      return isApiError(made) ? made : { ...made, ...(await changedAnswer(ctx, "organization", made.orgId)) };
    },
  }),
];
