/** Adds a provider; it sends nothing before it is activated. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { countEmailProviders, insertEmailProvider } from "../../storage/email-providers";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import {
  givenPassword,
  type MailSettings,
  readMailSettings,
  refusePort,
  senderOf,
  smtpAddress,
  smtpProviderSchema,
} from "./address";
import { checkPowerOverMail } from "./power";
import { aboutProvider, auditedProvider, type ProviderOwner } from "./provider";

/** More than anybody needs; each row is a place for a password. */
const MAX_PROVIDERS = 50;

export async function addSmtpProvider(
  ctx: Context,
  owner: ProviderOwner,
  given: unknown,
  origin: Origin,
): Promise<{ id: string; details: Details } | ApiError> {
  const settings = readMailSettings(smtpProviderSchema, given);
  if (isApiError(settings)) return settings;
  const smtpUrl = smtpAddress(settings, givenPassword(settings) ?? "");
  const refusal = refusePort(ctx, smtpUrl) ?? (await checkPowerOverMail(ctx, origin.actor, owner));
  if (refusal) return refusal;
  const { description, replyToAddress } = settings;
  const provider = { smtpUrl, sender: senderOf(settings), description, replyTo: replyToAddress || undefined };
  return changeDirectory(ctx, (tx) => addProviderIn(ctx, tx, owner, provider, origin));
}

interface NewProvider extends MailSettings {
  description?: string;
  replyTo?: string;
}

/** The caller has checked the settings and the permissions. */
export async function addProviderIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  provider: NewProvider,
  origin: Origin,
): Promise<{ id: string; details: Details } | ApiError> {
  if ((await countEmailProviders(tx, owner.ownerId)) >= MAX_PROVIDERS) {
    return failedPrecondition("mail_settings.too_many", `There are ${MAX_PROVIDERS} at most: remove one.`);
  }
  const id = newId();
  const details = await recordIn(ctx, tx, {
    ...aboutProvider(owner, "added", origin),
    async state(_, now) {
      const { smtpUrl, sender, description = "", replyTo = null } = provider;
      const row = {
        id,
        ownerId: owner.ownerId,
        activeFor: null,
        kind: "smtp",
        description,
        sealedAddress: ctx.secrets.seal("mail", smtpUrl),
        sender,
        replyTo,
        changedBy: await answerableFor(tx, origin),
      };
      await insertEmailProvider(tx, row, now);
      return { payload: { ...auditedProvider(id, provider), description, replyTo } };
    },
  });
  return { id, details };
}
