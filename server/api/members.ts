/** The managers of the instance, an organization or a project: the same five operations at each level. */
import { z } from "zod";
import type { Context } from "../context";
import { identifier, line, strict } from "../directory/fields";
import { findInstance } from "../directory/instance";
import { type ManagedPlace, ROLES_AT, setMember } from "../directory/member/members";
import { hasPermission } from "../directory/member/permissions";
import { notFound } from "../protocol/api-error";
import {
  countMembers,
  listMembers,
  type MemberPlace,
  matchMembers,
  membersOf,
  type ShownMember,
} from "../storage/member-list";
import { findProject } from "../storage/projects";
import { changedAnswer } from "./answers";
import { listAnswer, searchBody } from "./lists";
import { type Operation, type OperationCall, operation, type Scope } from "./operation";
import { changed, listOf, moment } from "./schemas";
import { USER_TYPES } from "./user-schemas";

const tag = "Members";
type Verb = "read" | "write" | "delete";
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "caller" | "origin">;

interface Level {
  level: MemberPlace["level"];
  /** Part of operation ids, as in AddIAMMember. */
  name: string;
  path: string;
  /** The address that lists the available roles. */
  rolesPath: string;
  on: string;
  scope(verb: Verb): Scope;
  /** Undefined if there is no such project. */
  placeOf(ctx: Context, call: Call): Promise<ManagedPlace | undefined>;
}

const LEVELS: readonly Level[] = [
  {
    ...{ level: "instance", name: "IAM", path: "/admin/v1/members", on: "the instance" },
    rolesPath: "/admin/v1/members/roles/_search",
    scope: (verb) => ({ level: "instance", permission: `iam.member.${verb}`, over: "roles" }),
    async placeOf(ctx) {
      const { id } = await findInstance(ctx);
      return { level: "instance", levelId: id, resourceOwner: id, scope: {} };
    },
  },
  {
    ...{ level: "organization", name: "Org", path: "/management/v1/orgs/me/members", on: "the organization" },
    rolesPath: "/management/v1/orgs/members/roles/_search",
    scope: (verb) => ({ level: "organization", permission: `org.member.${verb}`, over: "roles" }),
    placeOf: async (_, { organizationId: id }) => ({
      ...{ level: "organization", levelId: id, resourceOwner: id, scope: { organizationId: id } },
    }),
  },
  {
    ...{ level: "project", name: "Project", path: "/management/v1/projects/:projectId/members", on: "the project" },
    rolesPath: "/management/v1/projects/members/roles/_search",
    scope: (verb) => ({ level: "project", permission: `project.member.${verb}`, over: "roles" }),
    async placeOf(ctx, { parameters: { projectId = "" }, organizationId }) {
      if (!(await findProject(ctx.db, organizationId, projectId))) return undefined;
      const scope = { organizationId, projectId };
      return { level: "project", levelId: projectId, resourceOwner: organizationId, scope };
    },
  },
];

const member = z
  .object({
    userId: z.string(),
    userType: z.enum(Object.values(USER_TYPES)),
    roles: z.array(z.string()),
    preferredLoginName: z.string(),
    displayName: z.string(),
    email: z.string().optional(),
    creationDate: moment,
  })
  .meta({ id: "Member" });

function toMember({ userId, kind, roles, loginName, displayName, email, createdAt }: ShownMember) {
  return {
    ...{ userId, userType: USER_TYPES[kind], roles, preferredLoginName: loginName, displayName },
    ...(email !== null && { email }),
    creationDate: new Date(createdAt).toISOString(),
  };
}

const roles = z.array(z.string().max(100)).min(1, { error: "at least one role" }).max(50);

function operationsOf({ level, name, path, rolesPath, on, scope, placeOf }: Level): Operation[] {
  /** Sets the roles that somebody has there. */
  async function write(ctx: Context, call: Call, userId: string, wanted: readonly string[], expects: "none" | "some") {
    const place = await placeOf(ctx, call);
    if (!place) return notFound("project.not_found", "There is no such project.");
    // To make a user of another organization a manager, the caller must be allowed to read that user; otherwise the
    // user is reported as not found.
    const isKnown = async ({ organizationId }: { organizationId: string }) =>
      expects === "some" ||
      organizationId === call.organizationId ||
      (await hasPermission(ctx, call.caller.userId, "user.read", { organizationId }));
    const change = { userId, roles: wanted, expects };
    return (await setMember(ctx, place, change, call.origin, isKnown)) ?? changedAnswer(ctx, level, place.levelId);
  }
  return [
    operation({
      ...{ id: `Add${name}Member`, method: "POST", path, tag, scope: scope("write"), answer: changed },
      summary: `Add a manager on ${on}`,
      body: strict({ userId: identifier, roles }),
      handle: (ctx, call) => write(ctx, call, call.body.userId, call.body.roles, "none"),
    }),
    operation({
      ...{ id: `Update${name}Member`, method: "PUT", path: `${path}/:userId`, tag, scope: scope("write") },
      summary: `Replace the roles that somebody has on ${on}`,
      ...{ body: strict({ roles }), answer: changed },
      handle: (ctx, call) => write(ctx, call, call.parameters.userId ?? "", call.body.roles, "some"),
    }),
    operation({
      ...{ id: `Remove${name}Member`, method: "DELETE", path: `${path}/:userId`, tag, scope: scope("delete") },
      ...{ summary: `Remove all roles of somebody on ${on}`, answer: changed },
      handle: (ctx, call) => write(ctx, call, call.parameters.userId ?? "", [], "some"),
    }),
    operation({
      ...{ id: `List${name}Members`, method: "POST", path: `${path}/_search`, tag, scope: scope("read") },
      summary: `Search the managers on ${on}`,
      body: searchBody({
        userIdQuery: strict({ userId: identifier }),
        roleQuery: strict({ role: line(100) }),
      }),
      ...{ bodyIsOptional: true, answer: listOf(member) },
      async handle(ctx, call) {
        const place = await placeOf(ctx, call);
        if (!place) return notFound("project.not_found", "There is no such project.");
        const where = membersOf(place);
        for (const { userIdQuery, roleQuery } of call.body.queries ?? []) {
          matchMembers(where, { ...userIdQuery, ...roleQuery });
        }
        return listAnswer(ctx, call.body.query, {
          places: ["string", "string"],
          page: ({ ascending, ...wanted }) =>
            listMembers(ctx.db, place, where, { ...wanted, descending: ascending === false }),
          count: () => countMembers(ctx.db, where),
          items: (rows) => rows.map(toMember),
        });
      },
    }),
    operation({
      ...{ id: `List${name}MemberRoles`, method: "POST", path: rolesPath, tag, scope: rolesScope(level, scope) },
      summary: `List the roles there are on ${on}`,
      ...{ body: strict({}), bodyIsOptional: true },
      answer: z.object({ result: z.array(z.string()) }),
      handle: async () => ({ result: [...ROLES_AT[level]] }),
    }),
  ];
}

/** The address that lists the roles for projects names no project. */
function rolesScope(level: MemberPlace["level"], scope: Level["scope"]): Scope {
  return level === "project" ? { level: "projects", permission: "project.member.read" } : scope("read");
}

export const memberOperations: readonly Operation[] = LEVELS.flatMap(operationsOf);
