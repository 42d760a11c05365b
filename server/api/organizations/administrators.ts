/** The administrators of everything, as far as the caller may list them. */
import { z } from "zod";
import { type ListedAdministrator, listAdministratorsFor } from "../../directory/member/own-access";
import { pagedAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { listOf } from "../operation/schemas";
import { memberSearchBody, toMemberMatch } from "./member-queries";
import { member, toMember } from "./members";

const administrator = member
  .extend({
    instance: z.literal(true).optional(),
    organization: z.object({ id: z.string(), name: z.string() }).optional(),
    project: z.object({ id: z.string(), name: z.string(), organizationId: z.string() }).optional(),
    projectGrant: z
      .object({
        id: z.string(),
        projectId: z.string(),
        projectName: z.string(),
        organizationId: z.string().meta({ description: "The project's own" }),
        grantedOrganizationId: z.string().meta({ description: "The organization that the project is granted to" }),
      })
      .optional(),
  })
  .meta({ id: "Administrator" });

function toAdministrator(row: ListedAdministrator): z.input<typeof administrator> {
  const { level, levelId, objectName, projectId, ownerId, grantedOrganizationId } = row;
  const [name, organizationId] = [objectName ?? "", ownerId ?? ""];
  switch (level) {
    case "instance":
      return { ...toMember(row, { resourceOwner: levelId }), instance: true };
    case "organization":
      return { ...toMember(row, { resourceOwner: levelId }), organization: { id: levelId, name } };
    case "project":
      return {
        ...toMember(row, { resourceOwner: organizationId }),
        project: { id: levelId, name, organizationId },
      };
    case "project_grant": {
      const granted = grantedOrganizationId ?? "";
      const of = { projectId: projectId ?? "", projectName: name, organizationId, grantedOrganizationId: granted };
      return { ...toMember(row, { resourceOwner: granted }), projectGrant: { id: levelId, ...of } };
    }
  }
}

export const administratorOperations: readonly Operation[] = [
  operation("ListAdministrators", "POST /v2/administrators/_search", {
    tag: "Members",
    summary: "Search the administrators on the instance, organizations, projects and grants",
    description:
      "Those of everything whose administrators you may list, once for each object. `roles` are those on that object.",
    scope: { level: "caller" },
    effort: "search",
    body: memberSearchBody,
    bodyIsOptional: true,
    answer: listOf(administrator),
    async handle(ctx, { body, caller }) {
      const found = await listAdministratorsFor(ctx, caller.userId, (body.queries ?? []).map(toMemberMatch));
      return pagedAnswer(ctx, body.query, found, toAdministrator);
    },
  }),
];
