/**
 * The older API of an organization's providers: one mail server, written as one URL. It reads and changes the active
 * provider, so that both APIs show the same. An active webhook is not affected until a mail server is set in its place.
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
  /**
   * Whether some of the organization's users get their codes through the service's own server: see `mayOpenAccount`.
   */
  isBypassed?: true;
}

const noSettings = () =>
  notFound("mail_settings.not_found", "The organization has no mail server of its own. Set one up first.");

/** Returns the active mail server; undefined if the organization uses the service's. */
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

/** Checks the settings and the caller's permissions, then stores the settings. */
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

/**
 * Replaces the active provider, or adds and activates one. The caller has validated the settings and checked
 * permissions.
 */
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

/**
 * Removes the active mail server, so that the organization uses the service's. Returns an error if no mail server is
 * active.
 */
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
