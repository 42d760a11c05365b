/** The managers of the instance, an organization, a project or its grant: the same five operations at each level. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, strict } from "../../directory/fields";
import {
  findManagedLevel,
  type ListedMember,
  listMembersOf,
  type ManagedLevel,
  type MemberLevel,
  ROLES_AT,
  setMember,
} from "../../directory/member/members";
import type { MemberRole } from "../../directory/member/roles";
import { findGrantedOrganization } from "../../directory/project-grant/project-grant";
import type { OriginContext } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { changedAnswer, pagedAnswer } from "../operation/answers";
import { languageField, languagesIn } from "../operation/language-field";
import { type Operation, type OperationCall, type OperationScope, operation } from "../operation/operation";
import { listOf, timestamp } from "../operation/schemas";
import { USER_TYPES } from "../users/schemas";
import { memberSearchBody, toMemberMatch } from "./member-queries";

const tag = "Members";
type Verb = "read" | "write" | "delete";
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId">;

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
  {
    level: "project_grant",
    ids: [
      "AddProjectGrantMember",
      "UpdateProjectGrantMember",
      "RemoveProjectGrantMember",
      "ListProjectGrantMembers",
      "ListProjectGrantMemberRoles",
    ],
    path: "/management/v1/projects/:projectId/grants/:grantId/members",
    rolesPath: "/management/v1/projects/grants/members/roles/_search",
    on: "a project that is granted to the organization",
    // The organization that has the grant decides who gives the roles to its users, not the one that the request names.
    scope: (verb) => ({
      level: "owner",
      ownerOf: (ctx, { projectId = "", grantId = "" }) => findGrantedOrganization(ctx, { projectId, grantId }),
      isInProject: true,
      permission: `project.grant.member.${verb}`,
      target: "roles",
    }),
  },
];

function levelOf(ctx: Context, level: Level["level"], { organizationId, parameters }: Call) {
  const { projectId = "", grantId = "" } = parameters;
  return findManagedLevel(ctx, { level, organizationId, projectId, grantId });
}

const LANGUAGES =
  "The languages that ORG_TEXT_EDITOR and ORG_TRANSLATOR are limited to. When roles are replaced: left out for those of before, empty for all";

export const member = z
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
    changeDate: timestamp.meta({ description: "When the last of the roles was given" }),
    details: z.object({ creationDate: timestamp, changeDate: timestamp, resourceOwner: z.string() }),
  })
  .meta({ id: "Member" });

export function toMember(
  { userId, kind, roles, languages, loginName, displayName, createdAt, changedAt, ...row }: ListedMember,
  { resourceOwner }: Pick<ManagedLevel, "resourceOwner">,
) {
  const { firstName, lastName, email, userOrganizationId } = row;
  const dates = { creationDate: new Date(createdAt).toISOString(), changeDate: new Date(changedAt).toISOString() };
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
    ...dates,
    details: { ...dates, resourceOwner },
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
  async function write(ctx: OriginContext, call: Call, change: Parameters<typeof setMember>[2]) {
    const at = await levelOf(ctx, level, call);
    if (isApiError(at)) return at;
    const languages = change.languages && (await languagesIn(ctx, change.languages, "languages"));
    if (isApiError(languages)) return languages;
    const refusal = await setMember(ctx, at, { ...change, languages: languages?.toSorted() });
    if (refusal) return refusal;
    return level === "project_grant"
      ? changedAnswer(ctx, "organization", at.resourceOwner)
      : changedAnswer(ctx, level, at.levelId);
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
      body: memberSearchBody,
      bodyIsOptional: true,
      answer: listOf(member),
      async handle(ctx, call) {
        const at = await levelOf(ctx, level, call);
        if (isApiError(at)) return at;
        const matches = (call.body.queries ?? []).map(toMemberMatch);
        return pagedAnswer(ctx, call.body.query, listMembersOf(ctx, at, matches), (one) => toMember(one, at));
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

/** The addresses that list the roles for projects name no project. */
function rolesScope(level: Level["level"], scope: Level["scope"]): OperationScope {
  if (level === "project") return { level: "projects", permission: "project.member.read" };
  if (level === "project_grant") return { level: "projects", permission: "project.grant.member.read" };
  return scope("read");
}

export const memberOperations: readonly Operation[] = LEVELS.flatMap(operationsOf);
