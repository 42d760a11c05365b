/**
 * How mails are sent: by an organization's active provider, else the service's, else by SMTP_URL. The address of a mail
 * server contains a password, so it is what is sealed.
 */
import type { Context } from "../../context";
import { failedPrecondition, notFound } from "../../protocol/api-error";
import { type EmailProviderRow, emailProviders } from "../../storage/email-providers";
import { findInstance } from "../instance";
import type { OrganizationSetting } from "../member/privileges";
import { activeProviders, type ProviderChannel } from "../provider/channel";
import { type AddressShown, type MailSettings, partsOf, showAddress } from "./address";

export const emailChannel: ProviderChannel<EmailProviderRow> = {
  name: "email",
  rows: emailProviders,
  noProvider: () => notFound("mail_settings.not_found", "There is no such mail provider."),
  tooMany: (most) => failedPrecondition("mail_settings.too_many", `There are ${most} at most: remove one.`),
};

/** An active provider as it is used. */
export interface OwnMailSettings extends MailSettings, OrganizationSetting {
  /** Mailbox; undefined: none. */
  replyTo?: string;
}

/** Undefined if the key that sealed its address is gone. */
export function openProvider(ctx: Context, row: EmailProviderRow): OwnMailSettings | undefined {
  const smtpUrl = ctx.secrets.open("mail", row.sealedAddress);
  if (smtpUrl === undefined) return undefined;
  const { sender, replyTo, ownerId, changedBy } = row;
  return { smtpUrl, sender, replyTo: replyTo ?? undefined, organizationId: ownerId, changedBy };
}

const findActive = activeProviders(emailChannel, openProvider);

/** Undefined if the organization uses the service's. */
export function findMailSettings(ctx: Context, organizationId: string): Promise<OwnMailSettings | undefined> {
  return findActive(ctx, organizationId);
}

/** Undefined if the service sends by SMTP_URL, or keeps its mails. */
export async function findInstanceMailSettings(ctx: Context): Promise<OwnMailSettings | undefined> {
  return findActive(ctx, (await findInstance(ctx)).id);
}

/** Whether the service's own mails are sent at all, and not kept. */
export async function sendsMail(ctx: Context): Promise<boolean> {
  return ctx.config.smtpUrl !== undefined || (await findInstanceMailSettings(ctx)) !== undefined;
}

/** The sender where no provider says another. */
export function serviceSender({ config: { mailFrom, baseUrl } }: Pick<Context, "config">): string {
  return mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
}

/**
 * The sender's address, without a name, for people who look for a mail: the organization's, or the service's if none is
 * known.
 */
export async function findSender(ctx: Context, organizationId: string | undefined): Promise<string> {
  const own = organizationId === undefined ? undefined : await findMailSettings(ctx, organizationId);
  const settings = own ?? (await findInstanceMailSettings(ctx));
  return partsOf(settings?.sender ?? serviceSender(ctx)).senderAddress;
}

/** What administrators are shown of a provider. */
export interface ProviderShown extends AddressShown {
  id: string;
  isActive: boolean;
  description: string;
  senderAddress: string;
  senderName: string;
  replyTo?: string;
}

export function showProvider(ctx: Context, row: EmailProviderRow): ProviderShown {
  const { id, activeFor, description, sender, replyTo } = row;
  const opened = openProvider(ctx, row);
  // Without the key it was sealed with, only the name of the address is lost; the rest can be shown and set again.
  const address = opened ? showAddress(opened.smtpUrl) : { host: "", hasPassword: false, tls: false };
  return {
    ...address,
    ...partsOf(sender),
    id,
    isActive: activeFor !== null,
    description,
    replyTo: replyTo ?? undefined,
  };
}

/** What the audit trail keeps of a provider. */
export function auditedProvider(id: string, { smtpUrl, sender }: MailSettings) {
  const { host, port, user } = showAddress(smtpUrl);
  return { providerId: id, host, port, user, sender };
}
