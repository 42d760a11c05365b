/**
 * How messages are sent: through an organization's active provider of the channel, otherwise through the service's.
 * Addresses are sealed as a whole, because they contain passwords and keys.
 */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import type { ProviderRow } from "../../storage/provider/provider-table";
import { createCache } from "../cache";
import { findInstance } from "../instance";
import type { OrganizationSetting } from "../member/privileges";
import { type AddressOf, ofKind, type ProviderAddress, type ProviderKind } from "./address";
import type { ProviderChannel, ProviderOwner } from "./channel";
import { openKeys, sealKeys, showKeys } from "./server-keys";
import { senderParts, showAddress } from "./smtp-address";

export interface ProviderSettings<Address = ProviderAddress> {
  address: Address;
  /** The mailbox, number or name that recipients see; if it is empty, the provider decides. */
  sender: string;
  description: string;
  /** A mailbox, or null; only for mail servers. */
  replyTo: string | null;
}

/** A provider with opened settings. */
export interface Provider<Address = ProviderAddress> extends ProviderSettings<Address>, OrganizationSetting {
  id: string;
}

/** Returns the opened address; undefined if the key that sealed it is lost. */
export function openAddress(ctx: Context, row: ProviderRow): ProviderAddress | undefined {
  const opened = ctx.secrets.open("mail", row.sealedAddress);
  if (opened === undefined) return undefined;
  if (row.kind !== "smtp") return JSON.parse(opened) as ProviderAddress;
  return { kind: "smtp", smtpUrl: opened, keys: openKeys(ctx, row.sealedKeys) };
}

/** Returns the provider with opened settings; undefined if the key that sealed its address is lost. */
export function openProvider(ctx: Context, row: ProviderRow): Provider | undefined {
  const { id, description, sender, replyTo = null, ownerId: organizationId, changedBy } = row;
  const address = openAddress(ctx, row);
  return address && { id, description, sender, replyTo, address, organizationId, changedBy };
}

/** Returns the columns of the settings. */
export function sealSettings(ctx: Context, { address, sender, description, replyTo }: ProviderSettings) {
  const seal = (text: string) => ctx.secrets.seal("mail", text);
  if (address.kind !== "smtp") return { sender, description, sealedAddress: seal(JSON.stringify(address)) };
  const { smtpUrl, keys } = address;
  return { sender, description, replyTo, sealedAddress: seal(smtpUrl), sealedKeys: sealKeys(ctx, keys) };
}

/** Absence is also cached: most organizations have no provider, and every message looks for one. */
const cacheOf = (name: ProviderChannel["name"]) =>
  createCache<{ opened: Provider | null }>(`${name}Providers`, (ownerId) => [ownerId]);
const caches = { email: cacheOf("email"), sms: cacheOf("sms") };

/**
 * Returns the organization's active provider; undefined if it uses the service's, or if the key that sealed it is lost.
 * @param organizationId undefined for the service's own provider
 */
export async function findProvider(
  ctx: Context,
  { name, rows }: ProviderChannel,
  organizationId: string | undefined,
): Promise<Provider | undefined> {
  const ownerId = organizationId ?? (await findInstance(ctx)).id;
  const found = await caches[name].get(ctx, ownerId, async () => {
    const row = await rows.findActive(ctx.db, ownerId);
    return { opened: (row && openProvider(ctx, row)) ?? null };
  });
  return found?.opened ?? undefined;
}

export const isKind = <Kind extends ProviderKind>(
  provider: Provider | undefined,
  kind: Kind,
): provider is Provider<AddressOf<Kind>> => provider?.address.kind === kind;

/** The fields of a provider that administrators see, without secrets. */
export interface ProviderShown {
  id: string;
  isActive: boolean;
  description: string;
  kind: string;
  /** The settings of its kind. They are empty if the key that sealed the address is lost; it must then be set again. */
  settings: object;
}

function showProvider(ctx: Context, row: ProviderRow): ProviderShown {
  const { id, activeFor, description, kind } = row;
  return { id, isActive: activeFor !== null, description, kind, settings: showSettings(ctx, row) };
}

function showSettings(ctx: Context, row: ProviderRow): object {
  const address = openAddress(ctx, row);
  if (row.kind === "smtp") return showServer(ctx, row, ofKind("smtp", address)?.smtpUrl);
  if (row.kind === "http") return { endpoint: ofKind("http", address)?.endpoint ?? "" };
  const { sid, baseUrl } = ofKind("twilio", address) ?? { sid: "", baseUrl: "" };
  return { sid, senderNumber: row.sender, baseUrl };
}

function showServer(ctx: Context, { sender, replyTo, sealedKeys }: ProviderRow, smtpUrl: string | undefined) {
  const address = smtpUrl === undefined ? { host: "", hasPassword: false, tls: false } : showAddress(smtpUrl);
  const { host, port, user = "", hasPassword, tls } = address;
  const place = port === undefined ? host : `${host}:${port}`;
  const from = { ...senderParts(sender), tls, host: place, user, replyToAddress: replyTo ?? "", hasPassword };
  return { ...from, ...showKeys(openKeys(ctx, sealedKeys)) };
}

/**
 * Returns all providers, oldest first. There are never more than one page of them.
 * @param kind undefined for all kinds
 */
export async function listProviders(
  ctx: Context,
  { rows }: ProviderChannel,
  { ownerId }: ProviderOwner,
  kind?: string,
): Promise<ProviderShown[]> {
  const stored = await rows.list(ctx.db, ownerId);
  return stored.filter((row) => kind === undefined || row.kind === kind).map((row) => showProvider(ctx, row));
}

/**
 * Returns one provider.
 * @param wanted.id undefined for the active one
 */
export async function readProvider(
  ctx: Context,
  { rows, noProvider }: ProviderChannel,
  { ownerId }: ProviderOwner,
  { id, kind }: { id?: string; kind?: string },
): Promise<ProviderShown | ApiError> {
  const row = await (id === undefined ? rows.findActive(ctx.db, ownerId) : rows.find(ctx.db, ownerId, id));
  return row && (kind === undefined || row.kind === kind) ? showProvider(ctx, row) : noProvider();
}
