/** The managers of the instance, an organization or a project: the same five operations at each level. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, line, strict } from "../../directory/fields";
import {
  findManagedLevel,
  type ListedMember,
  listMembersOf,
  type MemberLevel,
  ROLES_AT,
  setMember,
} from "../../directory/member/members";
import type { MemberRole } from "../../directory/member/roles";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { changedAnswer, pagedAnswer } from "../operation/answers";
import { timeFilter, toTimeMatch } from "../operation/filters";
import { languageField, languagesIn } from "../operation/language-field";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { type Operation, type OperationCall, type OperationScope, operation } from "../operation/operation";
import { listOf, timestamp } from "../operation/schemas";
import { rowUserQueries, toRowUser } from "../users/row-queries";
import { USER_TYPES } from "../users/schemas";

const tag = "Members";
type Verb = "read" | "write" | "delete";
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "origin">;

interface Level {
  level: MemberLevel["level"];
  ids: readonly [add: string, update: string, remove: string, list: string, roles: string];
  path: string;
  /** The address that lists the available roles. */
  rolesPath: string;
  on: string;
  scope(verb: Verb): OperationScope;
}

const LEVELS: readonly Level[] = [
  {
    level: "instance",
    ids: ["AddIAMMember", "UpdateIAMMember", "RemoveIAMMember", "ListIAMMembers", "ListIAMMemberRoles"],
    path: "/admin/v1/members",
    rolesPath: "/admin/v1/members/roles/_search",
    on: "the instance",
    scope: (verb) => ({ level: "instance", permission: `iam.member.${verb}`, target: "roles" }),
  },
  {
    level: "organization",
    ids: ["AddOrgMember", "UpdateOrgMember", "RemoveOrgMember", "ListOrgMembers", "ListOrgMemberRoles"],
    path: "/management/v1/orgs/me/members",
    rolesPath: "/management/v1/orgs/members/roles/_search",
    on: "the organization",
    scope: (verb) => ({ level: "organization", permission: `org.member.${verb}`, target: "roles" }),
  },
  {
    level: "project",
    ids: [
      "AddProjectMember",
      "UpdateProjectMember",
      "RemoveProjectMember",
      "ListProjectMembers",
      "ListProjectMemberRoles",
    ],
    path: "/management/v1/projects/:projectId/members",
    rolesPath: "/management/v1/projects/members/roles/_search",
    on: "the project",
    scope: (verb) => ({ level: "project", permission: `project.member.${verb}`, target: "roles" }),
  },
];

function levelOf(ctx: Context, level: Level["level"], { organizationId, parameters: { projectId = "" } }: Call) {
  return findManagedLevel(ctx, { level, organizationId, projectId });
}

const LANGUAGES =
  "The languages that ORG_TEXT_EDITOR and ORG_TRANSLATOR are limited to. When roles are replaced: left out for those of before, empty for all";

const member = z
  .object({
    userId: z.string(),
    userType: z.enum(Object.values(USER_TYPES)),
    roles: z.array(z.string()),
    languages: z.array(languageField).optional().meta({ description: LANGUAGES }),
    preferredLoginName: z.string(),
    displayName: z.string(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    userResourceOwner: z.string(),
    email: z.string().optional(),
    creationDate: timestamp,
  })
  .meta({ id: "Member" });

function toMember({ userId, kind, roles, languages, loginName, displayName, createdAt, ...row }: ListedMember) {
  const { firstName, lastName, email, userOrganizationId } = row;
  return {
    userId,
    userType: USER_TYPES[kind],
    roles,
    ...(languages && { languages: [...languages] }),
    preferredLoginName: loginName,
    displayName,
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
    userResourceOwner: userOrganizationId,
    ...(email !== null && { email }),
    creationDate: new Date(createdAt).toISOString(),
  };
}

const roles = z
  .array(z.string().max(100))
  .min(1, { error: issue("one_role") })
  .max(50);

/** The first administrators of an object that is added. @param owner the role if none is named */
export const firstAdmins = (owner: MemberRole) =>
  z
    .array(strict({ userId: identifier, roles: roles.optional() }))
    .min(1, { error: issue("empty") })
    .max(20)
    .optional()
    .transform((admins) => admins?.map(({ userId, roles = [owner] }) => ({ userId, roles })))
    .meta({ description: `Who administers it, with the role ${owner} unless others are named. Left out: the caller` });

const languages = z.array(languageField).max(100).optional().meta({ description: LANGUAGES });

function operationsOf({
  level,
  ids: [add, update, remove, list, listRoles],
  path,
  rolesPath,
  on,
  scope,
}: Level): Operation[] {
  /** Sets the roles of a user at that level. */
  async function write(ctx: Context, call: Call, change: Parameters<typeof setMember>[2]) {
    const at = await levelOf(ctx, level, call);
    if (isApiError(at)) return at;
    const languages = change.languages && (await languagesIn(ctx, change.languages, "languages"));
    if (isApiError(languages)) return languages;
    return (
      (await setMember(ctx, at, { ...change, languages: languages?.toSorted() }, call.origin)) ??
      changedAnswer(ctx, level, at.levelId)
    );
  }
  const memberOf = ({ parameters: { userId = "" } }: Call) => ({ userId, expects: "some" }) as const;
  return [
    operation(add, `POST ${path}`, {
      tag,
      scope: scope("write"),
      summary: `Add an administrator on ${on}`,
      body:
        level === "organization"
          ? strict({ userId: identifier, roles, languages })
          : strict({ userId: identifier, roles }),
      handle: (ctx, call) => write(ctx, call, { ...call.body, expects: "none" }),
    }),
    operation(update, `PUT ${path}/:userId`, {
      tag,
      scope: scope("write"),
      summary: `Replace the roles that someone has on ${on}`,
      body: level === "organization" ? strict({ roles, languages }) : strict({ roles }),
      handle: (ctx, call) => write(ctx, call, { ...memberOf(call), ...call.body }),
    }),
    operation(remove, `DELETE ${path}/:userId`, {
      tag,
      scope: scope("delete"),
      summary: `Remove all roles of someone on ${on}`,
      handle: (ctx, call) => write(ctx, call, { ...memberOf(call), roles: [] }),
    }),
    operation(list, `POST ${path}/_search`, {
      tag,
      scope: scope("read"),
      summary: `Search the administrators on ${on}`,
      body: searchBody({
        ...rowUserQueries,
        emailQuery: textQuery("email"),
        roleQuery: strict({ role: line(100) }),
        creationDateQuery: timeFilter,
      }),
      bodyIsOptional: true,
      answer: listOf(member),
      async handle(ctx, call) {
        const at = await levelOf(ctx, level, call);
        if (isApiError(at)) return at;
        const matches = (call.body.queries ?? []).map(({ emailQuery, roleQuery, creationDateQuery, ...ofUser }) => ({
          ...toRowUser(ofUser),
          email: emailQuery && toTextMatch(emailQuery.email, emailQuery.method),
          ...roleQuery,
          created: creationDateQuery && toTimeMatch(creationDateQuery),
        }));
        return pagedAnswer(ctx, call.body.query, listMembersOf(ctx, at, matches), toMember);
      },
    }),
    operation(listRoles, `POST ${rolesPath}`, {
      tag,
      scope: rolesScope(level, scope),
      summary: `List the roles there are on ${on}`,
      body: strict({}),
      bodyIsOptional: true,
      answer: z.object({ result: z.array(z.string()) }),
      handle: async () => ({ result: [...ROLES_AT[level]] }),
    }),
  ];
}

/** The address that lists the roles for projects names no project. */
function rolesScope(level: Level["level"], scope: Level["scope"]): OperationScope {
  return level === "project" ? { level: "projects", permission: "project.member.read" } : scope("read");
}

export const memberOperations: readonly Operation[] = LEVELS.flatMap(operationsOf);
