/** Adds a provider of text messages; it sends nothing until it is activated. */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { aboutProvider, type ProviderOwner } from "../provider/channel";
import { newProviderId } from "../provider/new-id";
import { checkPrivilegeOverMessages } from "../provider/privilege";
import { addedWebhookSchema, newSigningKey } from "../provider/webhook";
import { addedTwilioSchema, readSmsSettings, refuseAddress, type SmsAddress, TWILIO_URL } from "./address";
import { auditedSmsProvider, type SmsWords, sealAddress, smsChannel } from "./provider";

type Added = { id: string; details: Details };

export async function addTwilioProvider(
  ctx: Context,
  owner: ProviderOwner,
  given: unknown,
  origin: Origin,
): Promise<Added | ApiError> {
  const settings = readSmsSettings(addedTwilioSchema, given);
  if (isApiError(settings)) return settings;
  const { sid, token, senderNumber, baseUrl, description = "" } = settings;
  const address = { kind: "twilio", baseUrl: baseUrl || TWILIO_URL, sid, token } as const;
  const refusal = refuseAddress(ctx, "baseUrl", address.baseUrl);
  return refusal ?? addProvider(ctx, owner, { address, sender: senderNumber, description }, origin);
}

/**
 * Adds a webhook.
 * @returns the key that signs the requests, which is shown only this time
 */
export async function addWebhookProvider(
  ctx: Context,
  owner: ProviderOwner,
  given: unknown,
  origin: Origin,
): Promise<(Added & { signingKey: string }) | ApiError> {
  const settings = readSmsSettings(addedWebhookSchema, given);
  if (isApiError(settings)) return settings;
  const { endpoint, description = "" } = settings;
  const refusal = refuseAddress(ctx, "endpoint", endpoint);
  if (refusal) return refusal;
  const signingKey = newSigningKey();
  const address = { kind: "http", endpoint, signingKey } as const;
  const added = await addProvider(ctx, owner, { address, sender: "", description }, origin);
  return isApiError(added) ? added : { ...added, signingKey };
}

export interface SmsSettings extends SmsWords {
  address: SmsAddress;
}

async function addProvider(
  ctx: Context,
  owner: ProviderOwner,
  settings: SmsSettings,
  origin: Origin,
): Promise<Added | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, origin.actor, owner);
  return refusal ?? changeDirectory(ctx, (tx) => addSmsProviderIn(ctx, tx, owner, settings, origin));
}

/** Adds a provider. The caller has checked the settings and the permissions. */
export async function addSmsProviderIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  { address, sender, description }: SmsSettings,
  origin: Origin,
): Promise<Added | ApiError> {
  const id = await newProviderId(ctx, tx, smsChannel, owner);
  if (isApiError(id)) return id;
  const details = await recordIn(ctx, tx, {
    ...aboutProvider(smsChannel, owner, "added", origin),
    async state(_, now) {
      const row = {
        id,
        ownerId: owner.ownerId,
        activeFor: null,
        kind: address.kind,
        description,
        sealedAddress: sealAddress(ctx, address),
        sender,
        changedBy: await answerableFor(tx, origin),
      };
      await smsChannel.rows.insert(tx, row, now);
      return { payload: auditedSmsProvider(id, address, { sender, description }) };
    },
  });
  return { id, details };
}
