/** Adds a provider; it sends nothing until it is activated. */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { aboutProvider, type ProviderOwner } from "../provider/channel";
import { newProviderId } from "../provider/new-id";
import { checkPrivilegeOverMessages } from "../provider/privilege";
import {
  givenPassword,
  type MailSettings,
  readMailSettings,
  refusePort,
  senderOf,
  smtpAddress,
  smtpProviderSchema,
} from "./address";
import { auditedProvider, emailChannel } from "./provider";
import { auditedKeys, resolveKeys, type ServerKeys, sealKeys } from "./server-keys";

export async function addSmtpProvider(
  ctx: Context,
  owner: ProviderOwner,
  given: unknown,
  origin: Origin,
): Promise<{ id: string; details: Details } | ApiError> {
  const settings = readMailSettings(smtpProviderSchema, given);
  if (isApiError(settings)) return settings;
  const smtpUrl = smtpAddress(settings, givenPassword(settings) ?? "");
  const keys = resolveKeys(ctx, settings);
  if (isApiError(keys)) return keys;
  const refusal = refusePort(ctx, smtpUrl) ?? (await checkPrivilegeOverMessages(ctx, origin.actor, owner));
  if (refusal) return refusal;
  const { description, replyToAddress } = settings;
  const provider = { smtpUrl, sender: senderOf(settings), description, replyTo: replyToAddress || undefined, keys };
  return changeDirectory(ctx, (tx) => addProviderIn(ctx, tx, owner, provider, origin));
}

interface NewProvider extends MailSettings {
  description?: string;
  replyTo?: string;
  keys?: ServerKeys;
}

/** Adds a provider. The caller has checked the settings and the permissions. */
export async function addProviderIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  provider: NewProvider,
  origin: Origin,
): Promise<{ id: string; details: Details } | ApiError> {
  const id = await newProviderId(ctx, tx, emailChannel, owner);
  if (isApiError(id)) return id;
  const details = await recordIn(ctx, tx, {
    ...aboutProvider(emailChannel, owner, "added", origin),
    async state(_, now) {
      const { smtpUrl, sender, description = "", replyTo = null, keys = {} } = provider;
      const row = {
        id,
        ownerId: owner.ownerId,
        activeFor: null,
        kind: "smtp",
        description,
        sealedAddress: ctx.secrets.seal("mail", smtpUrl),
        sealedKeys: sealKeys(ctx, keys),
        sender,
        replyTo,
        changedBy: await answerableFor(tx, origin),
      };
      await emailChannel.rows.insert(tx, row, now);
      return { payload: { ...auditedProvider(id, provider), ...auditedKeys(keys), description, replyTo } };
    },
  });
  return { id, details };
}
