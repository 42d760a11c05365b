/**
 * What the console's pages are made of, for the person in front of them: where he is, what he may open, and the
 * management APIs with his own permissions. Who may nothing gets a desk with nothing on it.
 */
import { pagesFor } from "../../../components/console/pages";
import { type Answer, readAnswer } from "../../../components/console/refusal";
import type { Caller } from "../../access/caller";
import type { Context } from "../../context";
import { listPermissions, type Permission } from "../../directory/member/permissions";
import { type MailPage, type MailPageWanted, type MailPlace, mailOf, mailPage } from "../../mail/mail-page";
import type { MessageWithLetter } from "../../mail/mailbox";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listAppSettings } from "../../storage/apps";
import {
  findOrganizationName,
  listManagedOrganizations,
  type ManagedOrganization,
} from "../../storage/managed-organizations";
import { findPerson } from "../../storage/users";
import { type Dispatch, forward } from "./forward";
import { inTheirWords } from "./refusals";
import { type ConsoleSession, csrfToken, openConsoleSession } from "./session";

/** More than anybody chooses among without searching. */
const MOST_MANAGED = 100;

export interface Visitor {
  userId: string;
  name: string;
  loginName: string;
  /** His session, to be known in a list of sessions. */
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
}

export interface Overview {
  issuer: string;
  discoveryUrl: string;
  /** False: there is no mail server, mails are kept. */
  sendsMail: boolean;
  /** Undefined where he may not read them. */
  appCount: number | undefined;
}

export type ListedMail = MailPage["messages"][number];

export interface ShownMail {
  message: MessageWithLetter;
  /** Where a failed one is sent again, below `/console/api`; undefined where he may not, or it did not fail. */
  resendPath: string | undefined;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** The organization meant (`x-service-orgid`); the current one where it is left out. */
  organizationId?: string;
}

export interface Desk {
  /** BASE_URL. */
  issuer: string;
  visitor: Visitor;
  /** The one in the address; the visitor's own on other pages; undefined where he may nothing, or there is none. */
  organization: CurrentOrganization | undefined;
  /** What he may do on the instance. */
  permissions: ReadonlySet<Permission>;
  /** What he may open, in the order of the navigation; empty for somebody without a role. */
  pages: ReturnType<typeof pagesFor>;
  /** Whether people have a page of their own account. */
  hasAccountPage: boolean;
  /** Any operation of the management APIs. @param path as in `/management/v1/…` */
  call<T>(method: string, path: string, options?: CallOptions): Promise<Answer<T>>;
  /** Those he has a role of, and the current one; the first hundred by name. */
  managedOrganizations(): Promise<readonly ManagedOrganization[]>;
  overview(): Promise<Overview>;
  mails(wanted: MailPageWanted): Promise<MailPage | ApiError>;
  mail(id: string): Promise<ShownMail | ApiError>;
}

export interface DeskOptions {
  /** Of the page's address; undefined where it names none. */
  organizationId?: string;
  /** In which refusals are told. */
  locale: string;
  hasAccountPage: boolean;
  dispatch: Dispatch;
}

/** The whole instance for whoever may read people's addresses there, else his own organization. */
export async function letterPlace(ctx: Context, caller: Caller): Promise<MailPlace> {
  const instance = await listPermissions(ctx, caller.userId);
  return { caller, level: instance.has("user.read") ? "instance" : "organization" };
}

/** Undefined where nobody is signed in. @param cookies the Cookie header */
export async function openDesk(
  ctx: Context,
  cookies: string | null,
  { organizationId, locale, hasAccountPage, dispatch }: DeskOptions,
): Promise<Desk | undefined> {
  const session = await openConsoleSession(ctx, cookies);
  const person = session && (await findPerson(ctx.db, session.caller.userId));
  if (!session || !person) return undefined;
  const { caller } = session;
  const [permissions, own, place, organization] = await Promise.all([
    listPermissions(ctx, caller.userId),
    listPermissions(ctx, caller.userId, { organizationId: caller.organizationId }),
    letterPlace(ctx, caller),
    organizationId === undefined ? homeOrganization(ctx, caller) : managed(ctx, caller, organizationId),
  ]);
  const atHome = own.size > 0 ? own : (organization?.permissions ?? own);
  return {
    issuer: ctx.config.baseUrl,
    visitor: {
      userId: caller.userId,
      name: person.displayName ?? ([person.firstName, person.lastName].filter(Boolean).join(" ") || person.userName),
      loginName: person.loginName,
      sessionId: session.sessionId,
      csrfToken: csrfToken(ctx, session),
    },
    organization,
    permissions,
    pages: pagesFor({ home: atHome, organization: organization?.permissions ?? new Set(), instance: permissions }),
    hasAccountPage,
    call: (method, path, options) =>
      call(ctx, dispatch, session, { locale, method, path, organizationId: organization?.id, ...options }),
    async managedOrganizations() {
      const listed = await listManagedOrganizations(ctx.db, caller.userId, MOST_MANAGED);
      const isListed = listed.some(({ id }) => id === organization?.id);
      return organization && !isListed ? [{ id: organization.id, name: organization.name }, ...listed] : listed;
    },
    overview: () => readOverview(ctx, caller),
    mails: (wanted) => mailPage(ctx, place, wanted),
    async mail(id) {
      const message = await mailOf(ctx, place, id);
      if (isApiError(message)) return message;
      const isInstance = place.level === "instance";
      const mayResend = isInstance ? permissions.has("iam.policy.write") : own.has("policy.write");
      const path = `/${isInstance ? "admin" : "management"}/v1/messages/${encodeURIComponent(id)}/_retry`;
      return { message, resendPath: mayResend && message.state === "failed" ? path : undefined };
    },
  };
}

/** Unknown ones and those he may nothing in are the same. */
async function managed(ctx: Context, { userId }: Caller, id: string): Promise<CurrentOrganization | undefined> {
  const permissions = await listPermissions(ctx, userId, { organizationId: id });
  const name = permissions.size > 0 ? await findOrganizationName(ctx.db, id) : undefined;
  return name === undefined ? undefined : { id, name, permissions };
}

/** His own, or where he may nothing in it the first that he manages. */
async function homeOrganization(ctx: Context, caller: Caller): Promise<CurrentOrganization | undefined> {
  const own = await managed(ctx, caller, caller.organizationId);
  if (own) return own;
  const [first] = await listManagedOrganizations(ctx.db, caller.userId, 1);
  return first && managed(ctx, caller, first.id);
}

interface Operation extends CallOptions {
  locale: string;
  method: string;
  path: string;
}

async function call<T>(ctx: Context, dispatch: Dispatch, session: ConsoleSession, operation: Operation) {
  const { locale, method, path, organizationId, body } = operation;
  const headers = new Headers({ accept: "application/json" });
  if (organizationId !== undefined) headers.set("x-service-orgid", organizationId);
  if (body !== undefined) headers.set("content-type", "application/json");
  const json = body === undefined ? undefined : JSON.stringify(body);
  const response = await forward(dispatch, session, { method, url: ctx.config.baseUrl + path, headers, body: json });
  return readAnswer<T>(await inTheirWords(response, async () => locale));
}

async function readOverview(ctx: Context, { userId }: Caller): Promise<Overview> {
  const { baseUrl, smtpUrl } = ctx.config;
  const permissions = await listPermissions(ctx, userId);
  return {
    issuer: baseUrl,
    discoveryUrl: `${baseUrl}/.well-known/openid-configuration`,
    sendsMail: smtpUrl !== undefined,
    appCount: permissions.has("project.app.read") ? (await listAppSettings(ctx.db)).length : undefined,
  };
}
