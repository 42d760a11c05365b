/**
 * Providers of messages, for any channel. Each owner, the service or an organization, may have several providers of a
 * channel, one of which is active. An organization without an active one uses the service's. A provider's address and
 * credentials are sealed in its row, kept out of events and never shown again.
 */
import type { Context } from "../../context";
import { type ApiError, failedPrecondition, invalidArgument, notFound } from "../../protocol/api-error";
import { type Reason, sentenceOf } from "../../protocol/reason";
import { emailProviders, type ProviderTable, smsProviders } from "../../storage/provider/provider-table";
import { findInstance } from "../instance";
import { checkPrivilegesOverAll, checkPrivilegesOverEverybody } from "../member/privileges";

/** The owner of providers. */
export interface ProviderOwner {
  level: "instance" | "organization";
  /** The organization's id, or the instance's. */
  ownerId: string;
}

export const ofOrganization = (ownerId: string): ProviderOwner => ({ level: "organization", ownerId });

export async function ofInstance(ctx: Context): Promise<ProviderOwner> {
  return { level: "instance", ownerId: (await findInstance(ctx)).id };
}

/** The properties in which the providers of different channels differ. */
export interface ProviderChannel {
  /** The channel's name in its events. */
  name: "email" | "sms";
  rows: ProviderTable;
  /** Returns the error if there is no such provider. */
  noProvider(): ApiError;
  /**
   * Returns the error if there are too many.
   * @param most how many an owner may have
   */
  tooMany(most: number): ApiError;
  /** Returns the error for one field of the settings. */
  wrong(field: string | undefined, why: Reason): ApiError;
}

const channel = (
  name: ProviderChannel["name"],
  rows: ProviderTable,
  refusals: "mail_settings" | "sms_provider",
  noun: string,
): ProviderChannel => ({
  name,
  rows,
  noProvider: () => notFound(`${refusals}.not_found`, `This ${noun} does not exist. Check its ID.`),
  tooMany: (most) => failedPrecondition(`${refusals}.too_many`, `There are ${most} at most: remove one.`),
  wrong: (field, why) => invalidArgument(`${refusals}.invalid`, sentenceOf(why), { field, reason: why }),
});

export const emailChannel = channel("email", emailProviders, "mail_settings", "email provider");
export const smsChannel = channel("sms", smsProviders, "sms_provider", "text message provider");

/** The providers of one channel and owner. */
export interface ProvidersOf {
  channel: ProviderChannel;
  owner: ProviderOwner;
}

/** Returns the common fields of all events about a provider. */
export function aboutProvider<Does extends "added" | "changed" | "activated" | "deactivated" | "removed">(
  { channel: { name }, owner: { level, ownerId } }: ProvidersOf,
  does: Does,
) {
  const type = `${level}.${name}_provider.${does}` as const;
  return { type, object: { id: ownerId, organizationId: ownerId } };
}

/**
 * Returns an error if the caller may not set the owner's providers. The operator of a provider can read the codes that
 * pass through it, so the caller's permissions must cover those of all users who get messages through it (SECURITY.md,
 * "Messages that open accounts").
 */
export function checkPrivilegeOverMessages(
  ctx: Context,
  callerId: string,
  { level, ownerId }: ProviderOwner,
): Promise<ApiError | undefined> {
  return level === "instance"
    ? checkPrivilegesOverEverybody(ctx, callerId)
    : checkPrivilegesOverAll(ctx, callerId, ownerId);
}
