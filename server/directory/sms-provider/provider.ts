/**
 * How text messages are sent: through an organization's active provider, otherwise through the service's; without one
 * they are kept.
 */
import type { Context } from "../../context";
import { failedPrecondition, notFound } from "../../protocol/api-error";
import { type SmsProviderRow, smsProviders } from "../../storage/provider/sms-providers";
import { findInstance } from "../instance";
import type { OrganizationSetting } from "../member/privileges";
import { activeProviders, type ProviderChannel } from "../provider/channel";
import { hostOf, type SmsAddress } from "./address";

export const smsChannel: ProviderChannel<SmsProviderRow> = {
  name: "sms",
  rows: smsProviders,
  noProvider: () => notFound("sms_provider.not_found", "This text message provider does not exist. Check its ID."),
  tooMany: (most) => failedPrecondition("sms_provider.too_many", `There are ${most} at most: remove one.`),
};

/** A provider with opened settings. */
export interface SmsProvider extends OrganizationSetting {
  id: string;
  description: string;
  /** The number or name that phones show; if empty, the provider decides. */
  sender: string;
  address: SmsAddress;
}

export const sealAddress = (ctx: Context, address: SmsAddress): string =>
  ctx.secrets.seal("mail", JSON.stringify(address));

/** Returns the provider with opened settings; undefined if the key that sealed its address is lost. */
export function openSmsProvider(ctx: Context, row: SmsProviderRow): SmsProvider | undefined {
  const opened = ctx.secrets.open("mail", row.sealedAddress);
  if (opened === undefined) return undefined;
  const { id, description, sender, ownerId, changedBy } = row;
  return { id, description, sender, address: JSON.parse(opened) as SmsAddress, organizationId: ownerId, changedBy };
}

const findActive = activeProviders(smsChannel, openSmsProvider);

/** Returns the organization's active provider; undefined if it uses the service's. */
export function findSmsProvider(ctx: Context, organizationId: string): Promise<SmsProvider | undefined> {
  return findActive(ctx, organizationId);
}

/** Returns the service's active provider; undefined if the service keeps its text messages. */
export async function findInstanceSmsProvider(ctx: Context): Promise<SmsProvider | undefined> {
  return findActive(ctx, (await findInstance(ctx)).id);
}

/** The fields of a provider that administrators see, without secrets. */
export interface SmsProviderShown {
  id: string;
  isActive: boolean;
  description: string;
  sender: string;
  kind: string;
  /** Undefined if the key that sealed it is lost; it must then be set again. */
  address?: { kind: "twilio"; baseUrl: string; sid: string } | { kind: "http"; endpoint: string };
}

export function showSmsProvider(ctx: Context, row: SmsProviderRow): SmsProviderShown {
  const { id, activeFor, description, sender, kind } = row;
  const opened = openSmsProvider(ctx, row)?.address;
  return { id, isActive: activeFor !== null, description, sender, kind, address: opened && withoutSecret(opened) };
}

function withoutSecret(address: SmsAddress): SmsProviderShown["address"] {
  if (address.kind === "http") return { kind: "http", endpoint: address.endpoint };
  const { kind, baseUrl, sid } = address;
  return { kind, baseUrl, sid };
}

/** Returns the fields of a provider for the audit trail. */
export function auditedSmsProvider(id: string, address: SmsAddress, { sender, description }: SmsWords) {
  return { providerId: id, kind: address.kind, host: hostOf(address), sender, description };
}

export interface SmsWords {
  sender: string;
  description: string;
}
