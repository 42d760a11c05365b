/** Adds and changes webhooks that send mails. */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import type { EmailProviderRow } from "../../storage/provider/email-providers";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { aboutProvider, type ProviderOwner } from "../provider/channel";
import { newProviderId } from "../provider/new-id";
import { checkPrivilegeOverMessages } from "../provider/privilege";
import {
  addedWebhookSchema,
  changedWebhook,
  changedWebhookSchema,
  newSigningKey,
  type WebhookAddress,
  whyNotCalled,
} from "../provider/webhook";
import { readMailSettings, wrongSettings } from "./address";
import { auditedWebhook, emailChannel, openProvider, sealWebhook } from "./provider";

/**
 * Adds a webhook.
 * @returns the key that signs the requests, which is shown only this time
 */
export async function addMailWebhook(
  ctx: Context,
  owner: ProviderOwner,
  given: unknown,
  origin: Origin,
): Promise<{ id: string; details: Details; signingKey: string } | ApiError> {
  const settings = readMailSettings(addedWebhookSchema, given);
  if (isApiError(settings)) return settings;
  const { endpoint, description = "" } = settings;
  const refusal = await refuse(ctx, owner, endpoint, origin);
  if (refusal) return refusal;
  const address: WebhookAddress = { kind: "http", endpoint, signingKey: newSigningKey() };
  const added = await changeDirectory(ctx, (tx) => addMailWebhookIn(ctx, tx, owner, { address, description }, origin));
  return isApiError(added) ? added : { ...added, signingKey: address.signingKey };
}

interface WebhookSettings {
  address: WebhookAddress;
  description: string;
}

/** Adds a webhook. The caller has checked the settings and the permissions. */
export async function addMailWebhookIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  { address, description }: WebhookSettings,
  origin: Origin,
): Promise<{ id: string; details: Details } | ApiError> {
  const id = await newProviderId(ctx, tx, emailChannel, owner);
  if (isApiError(id)) return id;
  const details = await recordIn(ctx, tx, {
    ...aboutProvider(emailChannel, owner, "added", origin),
    async state(_, now) {
      const row = {
        id,
        ownerId: owner.ownerId,
        activeFor: null,
        kind: "http",
        description,
        sealedAddress: sealWebhook(ctx, address),
        sealedKeys: null,
        sender: "",
        replyTo: null,
        changedBy: await answerableFor(tx, origin),
      };
      await emailChannel.rows.insert(tx, row, now);
      return { payload: auditedWebhook(id, address, description) };
    },
  });
  return { id, details };
}

/**
 * Changes a webhook.
 * @returns the new signing key, if one was requested or the old one is lost
 */
export async function changeMailWebhook(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  given: unknown,
  origin: Origin,
): Promise<{ details: Details; signingKey?: string } | ApiError> {
  const settings = readMailSettings(changedWebhookSchema, given);
  if (isApiError(settings)) return settings;
  const refusal = await refuse(ctx, owner, settings.endpoint, origin);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await emailChannel.rows.read(tx, owner.ownerId, id);
    if (row?.kind !== "http") return emailChannel.noProvider();
    const opened = openProvider(ctx, row);
    const saved = opened?.kind === "http" ? opened.address : undefined;
    const { address, signingKey } = changedWebhook(saved, settings);
    const { description = row.description } = settings;
    const details = await changeMailWebhookIn(ctx, tx, { owner, row }, { address, description }, origin);
    return { details, signingKey };
  });
}

/** Changes a webhook. The caller has checked the settings and the permissions. */
export function changeMailWebhookIn(
  ctx: Context,
  tx: Transaction,
  { owner, row }: { owner: ProviderOwner; row: EmailProviderRow },
  { address, description }: WebhookSettings,
  origin: Origin,
): Promise<Details> {
  return recordIn(ctx, tx, {
    ...aboutProvider(emailChannel, owner, "changed", origin),
    async state(_, now) {
      const opened = openProvider(ctx, row);
      const isSame = opened?.kind === "http" && isDeepStrictEqual(opened.address, address);
      const data = {
        sealedAddress: sealWebhook(ctx, address),
        description,
        // A user who only corrects a description is not answerable for an endpoint that another user chose.
        ...(!isSame && { changedBy: await answerableFor(tx, origin) }),
      };
      await emailChannel.rows.update(tx, row.id, data, now);
      return { payload: auditedWebhook(row.id, address, description) };
    },
  });
}

async function refuse(
  ctx: Context,
  owner: ProviderOwner,
  endpoint: string,
  origin: Origin,
): Promise<ApiError | undefined> {
  const why = whyNotCalled(ctx, endpoint);
  return why ? wrongSettings("endpoint", why) : checkPrivilegeOverMessages(ctx, origin.actor, owner);
}
