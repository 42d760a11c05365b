/**
 * How mails are sent: through an organization's active provider (a mail server or a webhook), otherwise through the
 * service's active provider, otherwise through SMTP_URL. Addresses are sealed, because that of a mail server contains a
 * password and that of a webhook a key.
 */
import type { Context } from "../../context";
import { failedPrecondition, notFound } from "../../protocol/api-error";
import { type EmailProviderRow, emailProviders } from "../../storage/provider/email-providers";
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

/** A mail server with opened settings. */
export interface MailServer extends MailSettings, OrganizationSetting {
  kind: "smtp";
  /** A mailbox; undefined for none. */
  replyTo?: string;
  keys: ServerKeys;
}

/** A webhook that sends the mails itself and chooses the sender. */
export interface MailWebhook extends Webhook, OrganizationSetting {
  kind: "http";
}

export type MailProvider = MailServer | MailWebhook;

/** Returns the provider with opened settings; undefined if the key that sealed its address is lost. */
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

/**
 * Returns the mail server with opened settings; undefined if the key that sealed its address is lost, or for a webhook.
 */
export function openServer(ctx: Context, row: EmailProviderRow): MailServer | undefined {
  const opened = openProvider(ctx, row);
  return opened?.kind === "smtp" ? opened : undefined;
}

export const sealWebhook = (ctx: Context, address: WebhookAddress): string =>
  ctx.secrets.seal("mail", JSON.stringify(address));

const findActive = activeProviders(emailChannel, openProvider);

/** Returns the organization's active provider; undefined if it uses the service's. */
export function findMailProvider(ctx: Context, organizationId: string): Promise<MailProvider | undefined> {
  return findActive(ctx, organizationId);
}

/** Returns the service's active provider; undefined if the service sends through SMTP_URL, or keeps its mails. */
export async function findInstanceMailProvider(ctx: Context): Promise<MailProvider | undefined> {
  return findActive(ctx, (await findInstance(ctx)).id);
}

/**
 * Returns the active provider if it is a mail server.
 * @param organizationId undefined for the service's
 */
export async function findMailServer(
  ctx: Context,
  organizationId: string | undefined,
): Promise<MailServer | undefined> {
  const provider = await (organizationId === undefined
    ? findInstanceMailProvider(ctx)
    : findMailProvider(ctx, organizationId));
  return provider?.kind === "smtp" ? provider : undefined;
}

/** Returns whether the service's own mails are sent, rather than kept. */
export async function sendsMail(ctx: Context): Promise<boolean> {
  return ctx.config.smtpUrl !== undefined || (await findInstanceMailProvider(ctx)) !== undefined;
}

/** Returns the sender of mails for which no provider sets one. */
export function serviceSender({ config: { mailFrom, baseUrl } }: Pick<Context, "config">): string {
  return mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
}

/**
 * Returns the sender's address without a name, for people who look for a mail: the organization's, or the service's if
 * none is known, as for webhooks.
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
  /** Empty if the key that sealed it is lost; the endpoint must then be set again. */
  endpoint: string;
}

/** The fields of a provider that administrators see. */
export type ProviderShown = ServerShown | WebhookShown;

export function showProvider(ctx: Context, row: EmailProviderRow): ProviderShown {
  const { id, activeFor, description, sender, replyTo, kind } = row;
  const opened = openProvider(ctx, row);
  const shown = { id, isActive: activeFor !== null, description };
  if (kind === "http") return { kind, ...shown, endpoint: opened?.kind === "http" ? opened.address.endpoint : "" };
  // If the key that sealed the address is lost, the remaining settings can still be shown and set again.
  const isOpen = opened?.kind === "smtp";
  const address = isOpen ? showAddress(opened.smtpUrl) : { host: "", hasPassword: false, tls: false };
  const keys = showKeys(openKeys(ctx, row.sealedKeys));
  return { kind: "smtp", ...address, ...keys, ...senderParts(sender), ...shown, replyTo: replyTo ?? undefined };
}

/** Returns the fields of a mail server for the audit trail. */
export function auditedProvider(id: string, { smtpUrl, sender }: MailSettings) {
  const { host, port, user } = showAddress(smtpUrl);
  return { providerId: id, host, port, user, sender };
}

/**
 * Returns the fields of a webhook for the audit trail: only the host of the URL, because paths and parameters often
 * contain a secret.
 */
export const auditedWebhook = (id: string, { endpoint }: WebhookAddress, description: string) => ({
  providerId: id,
  host: new URL(endpoint).host,
  description,
});
