/** The access of the caller: roles in projects, manager roles, and the resulting permissions. */
import { z } from "zod";
import {
  type ListedOwnGrant,
  listGrantsTo,
  listMemberships,
  listOwnOrganizations,
  listRolesInProject,
  type OwnMembership,
} from "../../directory/member/own-access";
import { listPermissions } from "../../directory/member/permissions";
import { listAllOrganizations } from "../../directory/organization/list";
import { pagedAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { listOf, timestamp } from "../operation/schemas";
import { matchesIn, organization, organizationSearch, toOrganization } from "../organizations/organizations";
import { OWN } from "../users/own";
import { noBody } from "../users/user-ref";

const names = z.object({ result: z.array(z.string()) });

const ownGrant = z
  .object({
    grantId: z.string(),
    userId: z.string(),
    orgId: z.string().meta({ description: "The organization that gave it" }),
    orgName: z.string(),
    orgDomain: z.string(),
    projectId: z.string(),
    projectName: z.string(),
    roles: z.array(z.string()).meta({ description: "As roleKeys" }),
    roleKeys: z.array(z.string()),
    creationDate: timestamp,
    changeDate: timestamp,
  })
  .meta({ id: "OwnGrant" });

const toOwnGrant = (row: ListedOwnGrant): z.input<typeof ownGrant> => ({
  grantId: row.id,
  userId: row.userId,
  orgId: row.organizationId,
  orgName: row.organizationName,
  orgDomain: row.organizationDomain ?? "",
  projectId: row.projectId,
  projectName: row.projectName,
  roles: row.roleKeys,
  roleKeys: row.roleKeys,
  creationDate: new Date(row.createdAt).toISOString(),
  changeDate: new Date(row.changedAt).toISOString(),
});

const membership = z
  .object({
    userId: z.string(),
    roles: z.array(z.string()),
    displayName: z.string().meta({ description: "Of the organization or project; empty for the instance" }),
    iam: z.literal(true).optional(),
    orgId: z.string().optional(),
    projectId: z.string().optional(),
    creationDate: timestamp,
  })
  .meta({ id: "OwnMembership" });

const toMembership = (userId: string, { level, levelId, roles, name, createdAt }: OwnMembership) => ({
  userId,
  roles,
  displayName: name ?? "",
  iam: level === "instance" ? (true as const) : undefined,
  orgId: level === "organization" ? levelId : undefined,
  projectId: level === "project" ? levelId : undefined,
  creationDate: new Date(createdAt).toISOString(),
});

export const ownAccessOperations: readonly Operation[] = [
  operation("ListMyUserGrants", "POST /auth/v1/usergrants/me/_search", {
    ...OWN,
    summary: "List the roles that the caller has in projects, newest first",
    body: searchBody({}),
    bodyIsOptional: true,
    answer: listOf(ownGrant),
    handle: (ctx, call) => pagedAnswer(ctx, call.body.query, listGrantsTo(ctx, call.caller.userId), toOwnGrant),
  }),
  operation("ListMyProjectOrgs", "POST /auth/v1/global/projectorgs/_search", {
    ...OWN,
    summary: "List the organizations among which the caller may choose, by name",
    description:
      "With an app's token: the organizations that granted the caller a role in its project. With the token of the console or of a machine: the organizations that the caller manages.",
    body: organizationSearch,
    bodyIsOptional: true,
    answer: listOf(organization),
    async handle(ctx, call) {
      const ids = await listOwnOrganizations(ctx, call.caller);
      const found = await listAllOrganizations(ctx, [{ ids }, ...matchesIn(call.body)]);
      return pagedAnswer(ctx, call.body.query, found, toOrganization);
    },
  }),
  operation("ListMyZitadelPermissions", "POST /auth/v1/permissions/zitadel/me/_search", {
    ...OWN,
    aliases: ["/auth/v1/permissions/service/me/_search"],
    summary: "List what the caller may do in their own organization by their roles as an administrator",
    ...noBody,
    answer: names,
    async handle(ctx, { caller: { userId, organizationId } }) {
      return { result: [...(await listPermissions(ctx, userId, { organizationId }))].sort() };
    },
  }),
  operation("ListMyProjectPermissions", "POST /auth/v1/permissions/me/_search", {
    ...OWN,
    summary: "List the roles that the caller has in the project of the app",
    ...noBody,
    answer: names,
    handle: async (ctx, { caller }) => ({ result: await listRolesInProject(ctx, caller) }),
  }),
  operation("ListMyMemberships", "POST /auth/v1/memberships/me/_search", {
    ...OWN,
    summary: "List the caller's roles as an administrator, by what they apply to",
    ...noBody,
    answer: z.object({
      details: z.object({ totalResult: z.string(), viewTimestamp: timestamp }),
      result: z.array(membership),
    }),
    async handle(ctx, { caller: { userId } }) {
      const result = (await listMemberships(ctx, userId)).map((one) => toMembership(userId, one));
      const viewTimestamp = new Date(ctx.clock()).toISOString();
      return { details: { totalResult: String(result.length), viewTimestamp }, result };
    },
  }),
];
