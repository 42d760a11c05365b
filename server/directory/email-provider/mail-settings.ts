/**
 * The earlier door to an organization's providers: one mail server, written as one address. It reads and changes the
 * provider that is active, so that both doors show the same; a webhook in use is none of its business until a mail server
 * is set in its place.
 */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import { changeDirectory } from "../change";
import { mayOpenAllAccounts } from "../member/privileges";
import { ofOrganization } from "../provider/channel";
import { checkPrivilegeOverMessages } from "../provider/privilege";
import { activateProviderIn, removeProviderIn } from "../provider/set-state";
import { addProviderIn } from "./add";
import { type AddressShown, type MailSettings, mailSettingsSchema, readMailSettings, showAddress } from "./address";
import { changeProviderIn } from "./change";
import { emailChannel, findMailServer } from "./provider";

export interface MailSettingsInUse extends Omit<AddressShown, "tls"> {
  sender: string;
  /** Some of the organization's people get their codes by the service's own server: see `mayOpenAccount`. */
  isBypassed?: true;
}

const noSettings = () =>
  notFound("mail_settings.not_found", "The organization has no mail server of its own. Set one up first.");

/** What is active; undefined if the organization uses the service's. */
export async function findShownMailSettings(
  ctx: Context,
  organizationId: string,
): Promise<MailSettingsInUse | undefined> {
  const settings = await findMailServer(ctx, organizationId);
  if (!settings) return undefined;
  const { tls: _, ...address } = showAddress(settings.smtpUrl);
  const isBypassed = !(await mayOpenAllAccounts(ctx, settings));
  return { ...address, sender: settings.sender, ...(isBypassed && { isBypassed }) };
}

export async function getMailSettings(
  ctx: Context,
  organizationId: string,
): Promise<{ mailSettings: MailSettingsInUse } | ApiError> {
  const mailSettings = await findShownMailSettings(ctx, organizationId);
  return mailSettings ? { mailSettings } : noSettings();
}

/** Checks what is given and who gives it, then stores it. */
export async function putMailSettings(
  ctx: Context,
  organizationId: string,
  given: unknown,
  origin: Origin,
): Promise<Details | ApiError> {
  const settings = readMailSettings(mailSettingsSchema, given);
  if (isApiError(settings)) return settings;
  const refusal = await checkPrivilegeOverMessages(ctx, origin.actor, ofOrganization(organizationId));
  return refusal ?? setMailSettings(ctx, organizationId, settings, origin);
}

/** Replaces the active provider, or adds and activates one; the caller has validated it and checked permissions. */
export function setMailSettings(
  ctx: Context,
  organizationId: string,
  settings: MailSettings,
  origin: Origin,
): Promise<Details | ApiError> {
  const owner = ofOrganization(organizationId);
  return changeDirectory(ctx, async (tx) => {
    const row = await emailChannel.rows.readActive(tx, organizationId);
    if (row?.kind === "smtp") {
      const { description, replyTo } = row;
      return changeProviderIn(ctx, tx, owner, row, { ...settings, description, replyTo }, origin);
    }
    const added = await addProviderIn(ctx, tx, owner, settings, origin);
    return isApiError(added) ? added : activateProviderIn(ctx, tx, emailChannel, owner, added.id, origin);
  });
}

/** Removes the active provider, so that the organization uses the service's; a refusal where there is none. */
export async function removeMailSettings(
  ctx: Context,
  organizationId: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const row = await emailChannel.rows.readActive(tx, organizationId);
    if (row?.kind !== "smtp") return noSettings();
    return removeProviderIn(ctx, tx, emailChannel, ofOrganization(organizationId), row.id, origin);
  });
}
