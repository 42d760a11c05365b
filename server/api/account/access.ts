/** The access of the caller: roles in projects, manager roles, and the resulting permissions. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, strict } from "../../directory/fields";
import {
  type ListedMembership,
  type ListedOwnGrant,
  listGrantsTo,
  listMemberships,
  listMembershipsFor,
  listOwnOrganizations,
  listRolesInProject,
} from "../../directory/member/own-access";
import { listPermissions } from "../../directory/member/permissions";
import { listAllOrganizations } from "../../directory/organization/list";
import { answered, pagedAnswer } from "../operation/answers";
import { pageInMemory, searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { listOf, timestamp } from "../operation/schemas";
import { matchesIn, organization, organizationSearch, toOrganization } from "../organizations/organizations";
import { OWN } from "../users/own";
import { noBody, userRefOf } from "../users/user-ref";

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
    projectGrantId: z.string().optional(),
    creationDate: timestamp,
    details: z.object({ creationDate: timestamp, changeDate: timestamp, resourceOwner: z.string() }),
  })
  .meta({ id: "OwnMembership" });

function toMembership(userId: string, one: ListedMembership) {
  const { level, levelId, roles, name, organizationId } = one;
  const creationDate = new Date(one.createdAt).toISOString();
  const changeDate = new Date(one.changedAt).toISOString();
  return {
    userId,
    roles,
    displayName: name ?? "",
    iam: level === "instance" ? (true as const) : undefined,
    orgId: level === "organization" ? levelId : undefined,
    projectId: level === "project" ? levelId : undefined,
    projectGrantId: level === "project_grant" ? levelId : undefined,
    creationDate,
    details: { creationDate, changeDate, resourceOwner: organizationId ?? levelId },
  };
}

const membershipSearch = searchBody({
  orgQuery: strict({ orgId: identifier }),
  projectQuery: strict({ projectId: identifier }),
  projectGrantQuery: strict({ projectGrantId: identifier }),
  iamQuery: strict({ iam: z.boolean() }),
});
type MembershipSearch = z.output<typeof membershipSearch>;

const membershipList = z.object({
  details: z.object({ totalResult: z.string(), viewTimestamp: timestamp }),
  result: z.array(membership),
});

/** A page of the memberships that match all queries; a user has few. */
function membershipsAnswer(
  ctx: Context,
  { query, queries = [] }: MembershipSearch,
  userId: string,
  found: readonly ListedMembership[],
) {
  const all = found
    .map((one) => toMembership(userId, one))
    .filter((one) =>
      queries.every(
        ({ orgQuery, projectQuery, projectGrantQuery, iamQuery }) =>
          (!orgQuery || one.orgId === orgQuery.orgId) &&
          (!projectQuery || one.projectId === projectQuery.projectId) &&
          (!projectGrantQuery || one.projectGrantId === projectGrantQuery.projectGrantId) &&
          (!iamQuery || (one.iam ?? false) === iamQuery.iam),
      ),
    );
  const viewTimestamp = new Date(ctx.clock()).toISOString();
  return { details: { totalResult: String(all.length), viewTimestamp }, result: pageInMemory(all, query) };
}

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
    body: membershipSearch,
    bodyIsOptional: true,
    answer: membershipList,
    handle: async (ctx, { body, caller: { userId } }) =>
      membershipsAnswer(ctx, body, userId, await listMemberships(ctx, userId)),
  }),
  operation("ListUserMemberships", "POST /management/v1/users/:userId/memberships/_search", {
    tag: "Members",
    scope: { level: "organization", permission: "user.read" },
    summary: "List a user's roles as an administrator, by what they apply to",
    description: "Those on objects whose administrators the caller may list.",
    body: membershipSearch,
    bodyIsOptional: true,
    answer: membershipList,
    handle(ctx, call) {
      const user = userRefOf(call);
      return answered(listMembershipsFor(ctx, call.caller.userId, user), (found) =>
        membershipsAnswer(ctx, call.body, user.userId, found),
      );
    },
  }),
];
