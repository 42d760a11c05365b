/**
 * The older API of an organization's providers: one mail server, written as one URL. It reads and changes the active
 * provider, so that both APIs show the same. An active webhook is not affected until a mail server is set in its place.
 */
import type { Context } from "../../context";
import type { Details, OriginContext } from "../../events/record";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import { changeDirectory } from "../change";
import { mayOpenAllAccounts } from "../member/privileges";
import { ofKind } from "./address";
import { checkPrivilegeOverMessages, emailChannel, ofOrganization } from "./channel";
import { addProviderIn, changeProviderIn } from "./edit";
import { readSettings } from "./form";
import { findProvider, isKind, openAddress } from "./provider";
import { fittingKeys, openKeys } from "./server-keys";
import { activateProviderIn, removeProviderIn } from "./set-state";
import { type AddressShown, type MailSettings, mailSettingsSchema, showAddress } from "./smtp-address";

export interface MailSettingsInUse extends Omit<AddressShown, "tls"> {
  sender: string;
  /**
   * Whether some of the organization's users get their codes through the service's own server: see `mayOpenAccount`.
   */
  isBypassed?: true;
}

const mailsOf = (organizationId: string) => ({ channel: emailChannel, owner: ofOrganization(organizationId) });

const noSettings = () =>
  notFound("mail_settings.not_found", "The organization has no mail server of its own. Set one up first.");

/** Returns the active mail server; undefined if the organization uses the service's. */
export async function findShownMailSettings(
  ctx: Context,
  organizationId: string,
): Promise<MailSettingsInUse | undefined> {
  const provider = await findProvider(ctx, emailChannel, organizationId);
  if (!isKind(provider, "smtp")) return undefined;
  const { tls: _, ...address } = showAddress(provider.address.smtpUrl);
  const isBypassed = !(await mayOpenAllAccounts(ctx, provider));
  return { ...address, sender: provider.sender, ...(isBypassed && { isBypassed }) };
}

export async function getMailSettings(
  ctx: Context,
  organizationId: string,
): Promise<{ mailSettings: MailSettingsInUse } | ApiError> {
  const mailSettings = await findShownMailSettings(ctx, organizationId);
  return mailSettings ? { mailSettings } : noSettings();
}

/** Checks the settings and the caller's permissions, then stores the settings. */
export async function putMailSettings(
  ctx: OriginContext,
  organizationId: string,
  given: unknown,
): Promise<Details | ApiError> {
  const settings = readSettings(emailChannel, mailSettingsSchema, given);
  if (isApiError(settings)) return settings;
  const refusal = await checkPrivilegeOverMessages(ctx, ctx.origin.actor, ofOrganization(organizationId));
  return refusal ?? setMailSettings(ctx, organizationId, settings);
}

/**
 * Replaces the active provider, or adds and activates one. Stored keys are kept if they still match the server and the
 * sender. The caller has validated the settings and checked permissions.
 */
export function setMailSettings(
  ctx: OriginContext,
  organizationId: string,
  { smtpUrl, sender }: MailSettings,
): Promise<Details | ApiError> {
  const of = mailsOf(organizationId);
  return changeDirectory(ctx, async (ctx) => {
    const row = await emailChannel.rows.readActive(ctx.tx, organizationId);
    if (row?.kind === "smtp") {
      const isSameServer = ofKind("smtp", openAddress(ctx, row))?.smtpUrl === smtpUrl;
      const keys = fittingKeys(openKeys(ctx, row.sealedKeys), isSameServer, sender);
      const address = { kind: "smtp", smtpUrl, keys } as const;
      const { description, replyTo = null } = row;
      return changeProviderIn(ctx, of, row, { address, sender, description, replyTo });
    }
    const address = { kind: "smtp", smtpUrl, keys: {} } as const;
    const added = await addProviderIn(ctx, of, { address, sender, description: "", replyTo: null });
    return isApiError(added) ? added : activateProviderIn(ctx, of, added.id);
  });
}

/**
 * Removes the active mail server, so that the organization uses the service's. Returns an error if no mail server is
 * active.
 */
export async function removeMailSettings(ctx: OriginContext, organizationId: string): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    const row = await emailChannel.rows.readActive(ctx.tx, organizationId);
    if (row?.kind !== "smtp") return noSettings();
    return removeProviderIn(ctx, mailsOf(organizationId), row.id);
  });
}
