/**
 * The data that the console's pages need about their user: the current organization, the permitted pages, and the
 * management APIs with the user's own permissions. Users without permissions may open nothing.
 */

import type { LocaleEntry } from "../../messages/locales";
import { type AnswerOf, type Arguments, addressOf, type Declared, type OperationName } from "../../shared/declared";
import { RetryInstanceMessage, RetryMessage } from "../../shared/generated/operations";
import { pagesFor } from "../../shared/pages";
import { type Answer, readAnswer } from "../../shared/refusal";
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import { countActiveApps } from "../directory/app/list";
import { type ManagedOrganization, managedOrganizations } from "../directory/member/own-access";
import {
  listPermissions,
  listPermissionsInProjects,
  listPermittedLanguages,
  listPermittedProjects,
  type Permission,
} from "../directory/member/permissions";
import { organizationName } from "../directory/organization/name";
import { addedEntries } from "../directory/policy/languages";
import { sendsMail } from "../directory/provider/sender";
import { readPerson } from "../directory/user/person";
import { type ConsoleSession, csrfToken, openConsoleSession } from "../http/console-session";
import { type MailScope, mailOf } from "../mail/mail-page";
import type { MessageWithContent } from "../mail/mailbox";
import { MESSAGE_GROUPS, type MessageGroup } from "../message-types/groups";
import { type ApiError, isApiError } from "../protocol/api-error";
import { type GrantTypeSetting, grantTypeSettings } from "../protocol/grant-type";
import { type Dispatch, forward } from "./forward";

/** The limit of a list that users choose from without searching. */
const MAX_MANAGED = 100;

export interface ViewingUser {
  userId: string;
  name: string;
  loginName: string;
  /** The user's own organization, independent of the current one. */
  organizationId: string;
  /** The user's session, to be marked in a list of sessions. */
  sessionId: string;
  /** Sent with changes as `x-csrf-token`. */
  csrfToken: string;
}

/** The organization whose pages are shown. */
export interface CurrentOrganization {
  id: string;
  name: string;
  /** The visitor's permissions in it. */
  permissions: ReadonlySet<Permission>;
  /** The permissions that the visitor holds in at least one of its projects, by a role on that project. */
  inProjects: ReadonlySet<Permission>;
  /** The languages in which the visitor may change texts, or propose changes; undefined for all. */
  textLanguages: readonly string[] | undefined;
}

export interface Overview {
  issuer: string;
  discoveryUrl: string;
  /** False without a mail server; mails are then kept. */
  sendsMail: boolean;
  /** Undefined without permission to read apps. */
  appCount: number | undefined;
}

export type { MessageGroup };

export interface ShownMail {
  message: MessageWithContent;
  /** The operation that sends a failed mail again; undefined without permission, or if it did not fail. */
  resend: { operation: Declared<"RetryInstanceMessage" | "RetryMessage">; organizationId?: string } | undefined;
}

export interface ViewerCallOptions {
  /** The organization (`x-service-orgid`); defaults to the current one. */
  organizationId?: string;
}

export interface Viewer {
  /** The configured BASE_URL. */
  issuer: string;
  user: ViewingUser;
  /**
   * The organization in the address, else the last one, else the visitor's own; undefined without permissions in it, or
   * if it does not exist.
   */
  organization: CurrentOrganization | undefined;
  /** The visitor's permissions on the instance. */
  permissions: ReadonlySet<Permission>;
  /** The pages that the visitor may open, in the order of the navigation; empty for users without a role. */
  pages: ReturnType<typeof pagesFor>;
  /** Whether users have an account page. */
  hasAccountPage: boolean;
  /** The grant types that an app can be registered for, by their names in its settings. */
  grantTypes: readonly GrantTypeSetting[];
  /** The text languages that are not built in. */
  addedLanguages: readonly LocaleEntry[];
  /** The types of messages by purpose, as the editor of their texts lists them. */
  messageGroups: readonly MessageGroup[];
  /** Calls an operation of the management APIs. */
  call<Name extends OperationName>(
    operation: Declared<Name>,
    ...request: Arguments<Name, ViewerCallOptions>
  ): Promise<Answer<AnswerOf<Name>>>;
  /** Returns the visitor's permissions in a project of the organization. */
  permissionsIn(projectId: string): Promise<ReadonlySet<Permission>>;
  /**
   * Returns the projects in which the visitor has the permission; undefined if it applies to the whole organization.
   */
  projectsWith(permission: Permission): Promise<readonly string[] | undefined>;
  /**
   * Returns the organizations in which the visitor has a role, the first hundred by name, and the current one; in the
   * order of the page's language.
   */
  managedOrganizations(): Promise<readonly ManagedOrganization[]>;
  overview(): Promise<Overview>;
  mail(id: string): Promise<ShownMail | ApiError>;
}

/** The page that is shown. */
export interface ViewedPage {
  /** The organization in the page's address; undefined if it names none. */
  organizationId?: string;
  /** The organization that is shown if the address names none and the visitor may see it (organization.ts). */
  rememberedOrganizationId?: string;
  /** The language of the page and of error messages. */
  locale: string;
}

export interface DeskOptions extends ViewedPage {
  hasAccountPage: boolean;
  dispatch: Dispatch;
}

/**
 * Returns the whole instance for callers who may read the addresses of its users, else the caller's own organization.
 */
export async function emailScope(ctx: Context, caller: Caller): Promise<MailScope> {
  const instance = await listPermissions(ctx, caller.userId);
  return { caller, level: instance.has("user.read") ? "instance" : "organization" };
}

/**
 * Returns the viewer; undefined if no user is signed in.
 * @param cookies the Cookie header
 */
export async function openViewer(
  ctx: Context,
  cookies: string | null,
  { organizationId, rememberedOrganizationId, locale, hasAccountPage, dispatch }: DeskOptions,
): Promise<Viewer | undefined> {
  const session = await openConsoleSession(ctx, cookies);
  const person = session && (await readPerson(ctx, session.caller.userId));
  if (!session || !person) return undefined;
  const { caller } = session;
  const [permissions, own, scope, organization] = await Promise.all([
    listPermissions(ctx, caller.userId),
    listPermissions(ctx, caller.userId, { organizationId: caller.organizationId }),
    emailScope(ctx, caller),
    organizationId === undefined
      ? homeOrganization(ctx, caller, rememberedOrganizationId)
      : managed(ctx, caller, organizationId),
  ]);
  const isInstance = scope.level === "instance";
  const mayResend = (isInstance ? permissions : (organization?.permissions ?? own)).has(
    isInstance ? "iam.policy.write" : "policy.write",
  );
  return {
    issuer: ctx.config.baseUrl,
    user: {
      userId: caller.userId,
      name: person.name,
      loginName: person.loginName,
      organizationId: caller.organizationId,
      sessionId: session.sessionId,
      csrfToken: csrfToken(ctx, session),
    },
    organization,
    permissions,
    pages: pagesFor(
      {
        home: organization?.permissions ?? own,
        organization: organization?.permissions ?? new Set(),
        instance: permissions,
      },
      organization?.inProjects,
    ),
    hasAccountPage,
    grantTypes: grantTypeSettings,
    addedLanguages: await addedEntries(ctx),
    messageGroups: MESSAGE_GROUPS,
    call: (operation, ...[request]) => {
      const path = addressOf(operation, request?.at, request?.query);
      const { method } = operation;
      return call(ctx, dispatch, session, { locale, method, path, organizationId: organization?.id, ...request });
    },
    permissionsIn: (projectId) =>
      listPermissions(ctx, caller.userId, { organizationId: organization?.id ?? "", projectId }),
    async projectsWith(permission) {
      if (!organization || organization.permissions.has(permission)) return undefined;
      return listPermittedProjects(ctx, caller.userId, permission, organization.id);
    },
    async managedOrganizations() {
      const listed = await managedOrganizations(ctx, caller.userId, MAX_MANAGED);
      const isListed = listed.some(({ id }) => id === organization?.id);
      const all = organization && !isListed ? [{ id: organization.id, name: organization.name }, ...listed] : listed;
      const { compare } = new Intl.Collator(locale, { numeric: true });
      return all.toSorted((one, other) => compare(one.name, other.name));
    },
    overview: () => readOverview(ctx, caller),
    async mail(id) {
      const message = await mailOf(ctx, { ...scope, organizationId: organization?.id }, id);
      if (isApiError(message)) return message;
      const retry = isInstance
        ? { operation: RetryInstanceMessage }
        : { operation: RetryMessage, organizationId: organization?.id };
      return { message, resend: mayResend && message.state === "failed" ? retry : undefined };
    },
  };
}

/** Returns undefined both for unknown organizations and for those without any permission. */
async function managed(ctx: Context, { userId }: Caller, id: string): Promise<CurrentOrganization | undefined> {
  const [permissions, inProjects, textLanguages] = await Promise.all([
    listPermissions(ctx, userId, { organizationId: id }),
    listPermissionsInProjects(ctx, userId, id),
    listPermittedLanguages(ctx, userId, "text.propose", id),
  ]);
  const name = permissions.size + inProjects.size > 0 ? await organizationName(ctx, id) : undefined;
  return name === undefined ? undefined : { id, name, permissions, inProjects, textLanguages };
}

/**
 * Returns the remembered organization, or the caller's own, or, without permissions in these, the first one that the
 * caller manages.
 */
async function homeOrganization(
  ctx: Context,
  caller: Caller,
  remembered: string | undefined,
): Promise<CurrentOrganization | undefined> {
  for (const id of [remembered, caller.organizationId]) {
    const found = id === undefined ? undefined : await managed(ctx, caller, id);
    if (found) return found;
  }
  const [first] = await managedOrganizations(ctx, caller.userId, 1);
  return first && managed(ctx, caller, first.id);
}

interface Sent extends ViewerCallOptions {
  locale: string;
  method: string;
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

async function call<T>(ctx: Context, dispatch: Dispatch, session: ConsoleSession, sent: Sent) {
  const { locale, method, path, organizationId, body } = sent;
  const headers = new Headers({ accept: "application/json", "accept-language": locale });
  if (organizationId !== undefined) headers.set("x-service-orgid", organizationId);
  if (body !== undefined) headers.set("content-type", "application/json");
  const json = body === undefined ? undefined : JSON.stringify(body);
  const response = await forward(dispatch, session, { method, url: ctx.config.baseUrl + path, headers, body: json });
  return readAnswer<T>(response);
}

async function readOverview(ctx: Context, { userId }: Caller): Promise<Overview> {
  const { baseUrl } = ctx.config;
  const permissions = await listPermissions(ctx, userId);
  return {
    issuer: baseUrl,
    discoveryUrl: `${baseUrl}/.well-known/openid-configuration`,
    sendsMail: await sendsMail(ctx),
    appCount: permissions.has("project.app.read") ? await countActiveApps(ctx) : undefined,
  };
}
