/**
 * How mails are sent: by an organization's active provider, a mail server or a webhook, else by the service's, else by
 * SMTP_URL. The address of a mail server contains a password, and that of a webhook a key, so it is what is sealed.
 */
import type { Context } from "../../context";
import { failedPrecondition, notFound } from "../../protocol/api-error";
import { type EmailProviderRow, emailProviders } from "../../storage/email-providers";
import { findInstance } from "../instance";
import type { OrganizationSetting } from "../member/privileges";
import { activeProviders, type ProviderChannel } from "../provider/channel";
import type { Webhook, WebhookAddress } from "../provider/webhook";
import { type AddressShown, type MailSettings, senderParts, showAddress } from "./address";
import { type KeysShown, openKeys, type ServerKeys, showKeys } from "./server-keys";

export const emailChannel: ProviderChannel<EmailProviderRow> = {
  name: "email",
  rows: emailProviders,
  noProvider: () => notFound("mail_settings.not_found", "This email provider does not exist. Check its ID."),
  tooMany: (most) => failedPrecondition("mail_settings.too_many", `There are ${most} at most: remove one.`),
};

/** A mail server as it is used. */
export interface MailServer extends MailSettings, OrganizationSetting {
  kind: "smtp";
  /** Mailbox; undefined: none. */
  replyTo?: string;
  keys: ServerKeys;
}

/** A webhook that sends mails itself, by whatever sender it has. */
export interface MailWebhook extends Webhook, OrganizationSetting {
  kind: "http";
}

export type MailProvider = MailServer | MailWebhook;

/** Undefined if the key that sealed its address is gone. */
export function openProvider(ctx: Context, row: EmailProviderRow): MailProvider | undefined {
  const opened = ctx.secrets.open("mail", row.sealedAddress);
  if (opened === undefined) return undefined;
  const { id, description, sender, replyTo, ownerId: organizationId, changedBy } = row;
  if (row.kind === "http") {
    return { kind: "http", id, description, address: JSON.parse(opened) as WebhookAddress, organizationId, changedBy };
  }
  const keys = openKeys(ctx, row.sealedKeys);
  return { kind: "smtp", smtpUrl: opened, sender, replyTo: replyTo ?? undefined, keys, organizationId, changedBy };
}

/** The same of a mail server; undefined for a webhook, too. */
export function openServer(ctx: Context, row: EmailProviderRow): MailServer | undefined {
  const opened = openProvider(ctx, row);
  return opened?.kind === "smtp" ? opened : undefined;
}

export const sealWebhook = (ctx: Context, address: WebhookAddress): string =>
  ctx.secrets.seal("mail", JSON.stringify(address));

const findActive = activeProviders(emailChannel, openProvider);

/** Undefined if the organization uses the service's. */
export function findMailProvider(ctx: Context, organizationId: string): Promise<MailProvider | undefined> {
  return findActive(ctx, organizationId);
}

/** Undefined if the service sends by SMTP_URL, or keeps its mails. */
export async function findInstanceMailProvider(ctx: Context): Promise<MailProvider | undefined> {
  return findActive(ctx, (await findInstance(ctx)).id);
}

/** The active provider if it is a mail server. @param organizationId undefined: the service's */
export async function findMailServer(
  ctx: Context,
  organizationId: string | undefined,
): Promise<MailServer | undefined> {
  const provider = await (organizationId === undefined
    ? findInstanceMailProvider(ctx)
    : findMailProvider(ctx, organizationId));
  return provider?.kind === "smtp" ? provider : undefined;
}

/** Whether the service's own mails are sent at all, and not kept. */
export async function sendsMail(ctx: Context): Promise<boolean> {
  return ctx.config.smtpUrl !== undefined || (await findInstanceMailProvider(ctx)) !== undefined;
}

/** The sender where no provider says another. */
export function serviceSender({ config: { mailFrom, baseUrl } }: Pick<Context, "config">): string {
  return mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
}

/**
 * The sender's address, without a name, for people who look for a mail: the organization's, or the service's if none is
 * known, as of webhooks.
 */
export async function findSender(ctx: Context, organizationId: string | undefined): Promise<string> {
  const own = organizationId === undefined ? undefined : await findMailProvider(ctx, organizationId);
  const provider = own ?? (await findInstanceMailProvider(ctx));
  return senderParts(provider?.kind === "smtp" ? provider.sender : serviceSender(ctx)).senderAddress;
}

interface Shown {
  id: string;
  isActive: boolean;
  description: string;
}

export interface ServerShown extends Shown, AddressShown, KeysShown {
  kind: "smtp";
  senderAddress: string;
  senderName: string;
  replyTo?: string;
}

export interface WebhookShown extends Shown {
  kind: "http";
  /** Empty if the key it was sealed with is gone: then it must be set again. */
  endpoint: string;
}

/** What administrators are shown of a provider. */
export type ProviderShown = ServerShown | WebhookShown;

export function showProvider(ctx: Context, row: EmailProviderRow): ProviderShown {
  const { id, activeFor, description, sender, replyTo, kind } = row;
  const opened = openProvider(ctx, row);
  const shown = { id, isActive: activeFor !== null, description };
  if (kind === "http") return { kind, ...shown, endpoint: opened?.kind === "http" ? opened.address.endpoint : "" };
  // Without the key it was sealed with, only the name of the address is lost; the rest can be shown and set again.
  const isOpen = opened?.kind === "smtp";
  const address = isOpen ? showAddress(opened.smtpUrl) : { host: "", hasPassword: false, tls: false };
  const keys = showKeys(openKeys(ctx, row.sealedKeys));
  return { kind: "smtp", ...address, ...keys, ...senderParts(sender), ...shown, replyTo: replyTo ?? undefined };
}

/** What the audit trail keeps of a provider. */
export function auditedProvider(id: string, { smtpUrl, sender }: MailSettings) {
  const { host, port, user } = showAddress(smtpUrl);
  return { providerId: id, host, port, user, sender };
}

/** The same of a webhook: its host alone, as paths and parameters often contain a secret. */
export const auditedWebhook = (id: string, { endpoint }: WebhookAddress, description: string) => ({
  providerId: id,
  host: new URL(endpoint).host,
  description,
});
