/**
 * Everything the console's pages need for the person using them: the current organization, what they may open, and the
 * management APIs with their own permissions. People without permissions may open nothing.
 */
import {
  type AnswerOf,
  type Arguments,
  addressOf,
  type Declared,
  type OperationName,
} from "../../components/console/declared";
import {
  RetryInstanceMessage,
  RetryInstanceMessages,
  RetryMessage,
  RetryMessages,
} from "../../components/console/generated/operations";
import { pagesFor } from "../../components/console/pages";
import { type Answer, readAnswer } from "../../components/console/refusal";
import type { LocaleEntry } from "../../messages/locales";
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import { countActiveApps } from "../directory/app/list";
import { sendsMail } from "../directory/email-provider/provider";
import { type ManagedOrganization, managedOrganizations } from "../directory/member/managed";
import {
  listPermissions,
  listPermissionsInProjects,
  listPermittedProjects,
  type Permission,
} from "../directory/member/permissions";
import { organizationName } from "../directory/organization/name";
import { addedEntries } from "../directory/policy/languages";
import { readPerson } from "../directory/user/person";
import { type ConsoleSession, csrfToken, openConsoleSession } from "../http/console-session";
import { type MailPage, type MailPageWanted, type MailScope, mailOf, mailPage } from "../mail/mail-page";
import type { MessageWithEmail } from "../mail/mailbox";
import { MESSAGE_GROUPS, type MessageGroup } from "../message-types/groups";
import { type ApiError, isApiError } from "../protocol/api-error";
import { type GrantTypeSetting, grantTypeSettings } from "../protocol/grant-type";
import { type Dispatch, forward } from "./forward";

/** More than anybody picks from without searching. */
const MAX_MANAGED = 100;

export interface ViewingUser {
  userId: string;
  name: string;
  loginName: string;
  /** Their own, whichever they are looking at. */
  organizationId: string;
  /** Their session, to be marked in a list of sessions. */
  sessionId: string;
  /** Sent with changes as `x-csrf-token`. */
  csrfToken: string;
}

/** The organization whose pages are shown. */
export interface CurrentOrganization {
  id: string;
  name: string;
  /** What the visitor may do in it. */
  permissions: ReadonlySet<Permission>;
  /** Permissions the visitor holds in at least one of its projects, by a role on that project. */
  inProjects: ReadonlySet<Permission>;
}

export interface Overview {
  issuer: string;
  discoveryUrl: string;
  /** False without a mail server; then mails are kept. */
  sendsMail: boolean;
  /** Undefined without permission to read apps. */
  appCount: number | undefined;
}

export type { MessageGroup };

export type ListedMail = MailPage["messages"][number];

export interface ShownMail {
  message: MessageWithEmail;
  /**
   * The operation that sends a failed mail again; undefined without permission, or if it did not fail.
   */
  resend: Declared<"RetryInstanceMessage" | "RetryMessage"> | undefined;
}

export interface ViewerCallOptions {
  /** The organization (`x-service-orgid`); by default the current one. */
  organizationId?: string;
}

export interface Viewer {
  /** BASE_URL. */
  issuer: string;
  user: ViewingUser;
  /**
   * The organization in the address, else the last one that was looked at, else the visitor's own; undefined without
   * permissions in it, or if it does not exist.
   */
  organization: CurrentOrganization | undefined;
  /** What the visitor may do on the instance. */
  permissions: ReadonlySet<Permission>;
  /** What the visitor may open, in the order of the navigation; empty for somebody without a role. */
  pages: ReturnType<typeof pagesFor>;
  /** Whether people have a page of their own account. */
  hasAccountPage: boolean;
  /** Those an app can be registered for, by their names in its settings. */
  grantTypes: readonly GrantTypeSetting[];
  /** The languages of texts that are not built in. */
  addedLanguages: readonly LocaleEntry[];
  /** The types of messages by purpose, as the editor of their texts lists them. */
  messageGroups: readonly MessageGroup[];
  /** Any operation of the management APIs. */
  call<Name extends OperationName>(
    operation: Declared<Name>,
    ...request: Arguments<Name, ViewerCallOptions>
  ): Promise<Answer<AnswerOf<Name>>>;
  /** What the visitor may do in a project of the organization. */
  permissionsIn(projectId: string): Promise<ReadonlySet<Permission>>;
  /** The projects in which the visitor has the permission; undefined where it holds in the whole organization. */
  projectsWith(permission: Permission): Promise<readonly string[] | undefined>;
  /** Those the visitor has a role in, the first hundred by name, and the current one; in the order of the page's language. */
  managedOrganizations(): Promise<readonly ManagedOrganization[]>;
  overview(): Promise<Overview>;
  mails(wanted: MailPageWanted): Promise<MailPage | ApiError>;
  mail(id: string): Promise<ShownMail | ApiError>;
  /** The operation that sends failed mails of the list again; undefined without permission. */
  resendMails: Declared<"RetryInstanceMessages" | "RetryMessages"> | undefined;
}

/** Which page is looked at. */
export interface ViewedPage {
  /** Of the page's address; undefined where it names none. */
  organizationId?: string;
  /** Shown where the address names none, if the visitor may see it (organization.ts). */
  rememberedOrganizationId?: string;
  /** The language of the page and of error messages. */
  locale: string;
}

export interface DeskOptions extends ViewedPage {
  hasAccountPage: boolean;
  dispatch: Dispatch;
}

/** The whole instance for callers who may read its people's addresses, else their own organization. */
export async function emailScope(ctx: Context, caller: Caller): Promise<MailScope> {
  const instance = await listPermissions(ctx, caller.userId);
  return { caller, level: instance.has("user.read") ? "instance" : "organization" };
}

/** Undefined where nobody is signed in. @param cookies the Cookie header */
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
  const mayResend = isInstance ? permissions.has("iam.policy.write") : own.has("policy.write");
  const atHome = own.size > 0 ? own : (organization?.permissions ?? own);
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
      { home: atHome, organization: organization?.permissions ?? new Set(), instance: permissions },
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
    mails: (wanted) => mailPage(ctx, scope, wanted),
    resendMails: mayResend ? (isInstance ? RetryInstanceMessages : RetryMessages) : undefined,
    async mail(id) {
      const message = await mailOf(ctx, scope, id);
      if (isApiError(message)) return message;
      const retry = isInstance ? RetryInstanceMessage : RetryMessage;
      return { message, resend: mayResend && message.state === "failed" ? retry : undefined };
    },
  };
}

/** Undefined both for unknown organizations and for those without any permission. */
async function managed(ctx: Context, { userId }: Caller, id: string): Promise<CurrentOrganization | undefined> {
  const [permissions, inProjects] = await Promise.all([
    listPermissions(ctx, userId, { organizationId: id }),
    listPermissionsInProjects(ctx, userId, id),
  ]);
  const name = permissions.size + inProjects.size > 0 ? await organizationName(ctx, id) : undefined;
  return name === undefined ? undefined : { id, name, permissions, inProjects };
}

/** The remembered organization, or the caller's own, or, without permissions in these, the first one they manage. */
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
