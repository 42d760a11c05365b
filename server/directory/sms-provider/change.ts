/**
 * Replaces the settings of a provider of text messages, or only its secret. A token is kept only for the address it was
 * given for (attack: naming another server, which then receives the saved token). The key of a webhook never leaves the
 * service again, so it is kept for a new endpoint.
 */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import type { Transaction } from "../../storage/database";
import type { SmsProviderRow } from "../../storage/provider/sms-providers";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { aboutProvider, type ProviderOwner } from "../provider/channel";
import { checkPrivilegeOverMessages } from "../provider/privilege";
import { changedWebhook, changedWebhookSchema } from "../provider/webhook";
import type { SmsSettings } from "./add";
import {
  changedTwilioSchema,
  readSmsSettings,
  refuseAddress,
  type SmsAddress,
  TWILIO_URL,
  tokenSchema,
  wrongSms,
} from "./address";
import { auditedSmsProvider, openSmsProvider, sealAddress, smsChannel } from "./provider";

export async function changeTwilioProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  given: unknown,
  origin: Origin,
): Promise<Details | ApiError> {
  const settings = readSmsSettings(changedTwilioSchema, given);
  if (isApiError(settings)) return settings;
  const { sid, senderNumber: sender, token } = settings;
  const baseUrl = settings.baseUrl || TWILIO_URL;
  const refusal = refuseAddress(ctx, "baseUrl", baseUrl);
  if (refusal) return refusal;
  return changeProvider(ctx, owner, { id, kind: "twilio" }, origin, (row) => {
    const { description = row.description } = settings;
    const saved = openSmsProvider(ctx, row)?.address;
    const isSame = saved?.kind === "twilio" && saved.baseUrl === baseUrl;
    const kept = token || (isSame ? saved.token : undefined);
    if (kept === undefined) return wrongSms("token", reason("token_bound"));
    return { address: { kind: "twilio", baseUrl, sid, token: kept }, sender, description };
  });
}

export async function changeTwilioToken(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  given: unknown,
  origin: Origin,
): Promise<Details | ApiError> {
  const settings = readSmsSettings(tokenSchema, given);
  if (isApiError(settings)) return settings;
  return changeProvider(ctx, owner, { id, kind: "twilio" }, origin, (row) => {
    const saved = openSmsProvider(ctx, row)?.address;
    if (saved?.kind !== "twilio") return smsChannel.noProvider();
    const { sender, description } = row;
    return { address: { ...saved, token: settings.token }, sender, description };
  });
}

/**
 * Changes a webhook.
 * @returns the new signing key, if one was requested or the old one is lost
 */
export async function changeWebhookProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  given: unknown,
  origin: Origin,
): Promise<{ details: Details; signingKey?: string } | ApiError> {
  const settings = readSmsSettings(changedWebhookSchema, given);
  if (isApiError(settings)) return settings;
  const { endpoint } = settings;
  const refusal = refuseAddress(ctx, "endpoint", endpoint);
  if (refusal) return refusal;
  let signingKey: string | undefined;
  const details = await changeProvider(ctx, owner, { id, kind: "http" }, origin, (row) => {
    const saved = openSmsProvider(ctx, row)?.address;
    const changed = changedWebhook(saved?.kind === "http" ? saved : undefined, settings);
    signingKey = changed.signingKey;
    const { description = row.description } = settings;
    return { address: changed.address, sender: row.sender, description };
  });
  return isApiError(details) ? details : { details, signingKey };
}

async function changeProvider(
  ctx: Context,
  owner: ProviderOwner,
  { id, kind }: { id: string; kind: SmsAddress["kind"] },
  origin: Origin,
  changesOf: (row: SmsProviderRow) => SmsSettings | ApiError,
): Promise<Details | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, origin.actor, owner);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await smsChannel.rows.read(tx, owner.ownerId, id);
    if (row?.kind !== kind) return smsChannel.noProvider();
    const changes = changesOf(row);
    return isApiError(changes) ? changes : changeSmsProviderIn(ctx, tx, { owner, row }, changes, origin);
  });
}

/** Returns whether this is the stored account or webhook. */
export function isSameAddress(ctx: Context, row: SmsProviderRow, address: SmsAddress): boolean {
  const before = openSmsProvider(ctx, row)?.address;
  return before !== undefined && isDeepStrictEqual(before, address);
}

/** Changes a provider. The caller has checked the settings and the permissions. */
export function changeSmsProviderIn(
  ctx: Context,
  tx: Transaction,
  { owner, row }: { owner: ProviderOwner; row: SmsProviderRow },
  { address, sender, description }: SmsSettings,
  origin: Origin,
): Promise<Details> {
  return recordIn(ctx, tx, {
    ...aboutProvider(smsChannel, owner, "changed", origin),
    async state(_, now) {
      const data = {
        sealedAddress: sealAddress(ctx, address),
        sender,
        description,
        // A user who only corrects a description is not answerable for a provider that another user chose.
        ...(!isSameAddress(ctx, row, address) && { changedBy: await answerableFor(tx, origin) }),
      };
      await smsChannel.rows.update(tx, row.id, data, now);
      return { payload: auditedSmsProvider(row.id, address, { sender, description }) };
    },
  });
}
