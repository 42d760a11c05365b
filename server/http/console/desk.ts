/**
 * What the console's pages show, read with the Caller of the person in front of them: the same use cases and the same
 * permissions as the APIs. Who may nothing gets a desk with nothing on it.
 */
import type { Caller } from "../../access/caller";
import type { Context } from "../../context";
import { listPermissions, type Permission } from "../../directory/permissions";
import { type MailPage, type MailPageWanted, type MailPlace, mailOf, mailPage } from "../../mail/mail-page";
import type { MessageWithLetter } from "../../mail/mailbox";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listAppSettings } from "../../storage/apps";
import { findPerson } from "../../storage/users";
import { csrfToken, openConsoleSession } from "./session";

export type ConsolePage = "overview" | "mail";

export interface Visitor {
  name: string;
  loginName: string;
  organizationName: string;
  /** Sent with changes as `x-csrf-token`. */
  csrfToken: string;
  /** What he may open; empty for somebody without a role. */
  pages: readonly ConsolePage[];
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

export interface Desk {
  visitor: Visitor;
  /** Whether people have a page of their own account. */
  hasAccountPage: boolean;
  overview(): Promise<Overview>;
  mails(wanted: MailPageWanted): Promise<MailPage | ApiError>;
  mail(id: string): Promise<ShownMail | ApiError>;
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
  { hasAccountPage }: Pick<Desk, "hasAccountPage">,
): Promise<Desk | undefined> {
  const session = await openConsoleSession(ctx, cookies);
  const person = session && (await findPerson(ctx.db, session.caller.userId));
  if (!session || !person) return undefined;
  const { caller } = session;
  const [permissions, place] = await Promise.all([
    listPermissions(ctx, caller.userId, { organizationId: caller.organizationId }),
    letterPlace(ctx, caller),
  ]);
  return {
    visitor: {
      name: person.displayName ?? ([person.firstName, person.lastName].filter(Boolean).join(" ") || person.userName),
      loginName: person.loginName,
      organizationName: person.organizationName,
      csrfToken: csrfToken(ctx, session),
      pages: pagesOf(permissions),
    },
    hasAccountPage,
    overview: () => readOverview(ctx, caller),
    mails: (wanted) => mailPage(ctx, place, wanted),
    async mail(id) {
      const message = await mailOf(ctx, place, id);
      if (isApiError(message)) return message;
      const isInstance = place.level === "instance";
      const mayResend = permissions.has(isInstance ? "iam.policy.write" : "policy.write");
      const path = `/${isInstance ? "admin" : "management"}/v1/messages/${encodeURIComponent(id)}/_retry`;
      return { message, resendPath: mayResend && message.state === "failed" ? path : undefined };
    },
  };
}

function pagesOf(permissions: ReadonlySet<Permission>): ConsolePage[] {
  if (permissions.size === 0) return [];
  return permissions.has("user.read") ? ["overview", "mail"] : ["overview"];
}

async function readOverview(ctx: Context, { userId }: Caller): Promise<Overview> {
  const { baseUrl, smtpUrl } = ctx.config;
  const permissions = await listPermissions(ctx, userId);
  return {
    issuer: baseUrl,
    discoveryUrl: `${baseUrl}/.well-known/openid-configuration`,
    sendsMail: smtpUrl !== undefined,
    appCount: permissions.has("app.read") ? (await listAppSettings(ctx.db)).length : undefined,
  };
}
