/**
 * Replaces the settings of a provider, or only its password. A password is kept only for the server and the user it was
 * given for (attack: naming another server, which then receives the saved password).
 */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import type { Transaction } from "../../storage/database";
import type { EmailProviderRow } from "../../storage/provider/email-providers";
import { changeDirectory } from "../change";
import { line, strict } from "../fields";
import { answerableFor } from "../member/answerable";
import { aboutProvider, type ProviderOwner } from "../provider/channel";
import { checkPrivilegeOverMessages } from "../provider/privilege";
import {
  givenPassword,
  isSameServer,
  passwordOf,
  readMailSettings,
  refusePort,
  type SmtpProvider,
  senderOf,
  showAddress,
  smtpAddress,
  smtpProviderSchema,
  wrongSettings,
} from "./address";
import { auditedProvider, emailChannel, openServer } from "./provider";
import { auditedKeys, fittingKeys, openKeys, resolveKeys, type ServerKeys, sealKeys } from "./server-keys";

const { rows, noProvider } = emailChannel;

export const passwordSchema = strict({ password: line(500) });

export async function changeSmtpProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  given: unknown,
  origin: Origin,
): Promise<Details | ApiError> {
  const settings = readMailSettings(smtpProviderSchema, given);
  if (isApiError(settings)) return settings;
  const refusal =
    refusePort(ctx, smtpAddress(settings, "")) ?? (await checkPrivilegeOverMessages(ctx, origin.actor, owner));
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await rows.read(tx, owner.ownerId, id);
    if (row?.kind !== "smtp") return noProvider();
    const smtpUrl = changedAddress(ctx, row, settings);
    if (isApiError(smtpUrl)) return smtpUrl;
    const keys = resolveKeys(ctx, settings, openServer(ctx, row));
    if (isApiError(keys)) return keys;
    const { description = row.description, replyToAddress } = settings;
    const changes = { smtpUrl, sender: senderOf(settings), description, replyTo: replyToAddress || null, keys };
    return changeProviderIn(ctx, tx, owner, row, changes, origin);
  });
}

export async function changeProviderPassword(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  given: unknown,
  origin: Origin,
): Promise<Details | ApiError> {
  const settings = readMailSettings(passwordSchema, given);
  if (isApiError(settings)) return settings;
  const refusal = await checkPrivilegeOverMessages(ctx, origin.actor, owner);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await rows.read(tx, owner.ownerId, id);
    const opened = row && openServer(ctx, row);
    if (!row || !opened) return noProvider();
    const url = new URL(opened.smtpUrl);
    if (url.username === "") return wrongSettings("password", reason("no_mail_user"));
    url.password = settings.password;
    const { description, replyTo, sender } = row;
    const { dkim } = openKeys(ctx, row.sealedKeys);
    const changes = { smtpUrl: url.href, sender, description, replyTo, keys: { dkim } };
    return changeProviderIn(ctx, tx, owner, row, changes, origin);
  });
}

/**
 * Returns the address after a change: with the given password, or with the stored one if server and user are the same.
 */
export function changedAddress(ctx: Context, row: EmailProviderRow, settings: SmtpProvider): string | ApiError {
  const given = givenPassword(settings);
  const stored = openServer(ctx, row)?.smtpUrl;
  if (given !== undefined || stored === undefined || settings.xoauth2) return smtpAddress(settings, given ?? "");
  const after = showAddress(smtpAddress(settings, ""));
  if (!showAddress(stored).hasPassword || after.user === undefined) return smtpAddress(settings, "");
  if (isSameServer(stored, settings)) return smtpAddress(settings, passwordOf(stored));
  return wrongSettings("password", reason("password_bound"));
}

interface Changes {
  smtpUrl: string;
  sender: string;
  description: string;
  replyTo: string | null;
  /** Undefined keeps the stored keys if they still match the server and the sender. */
  keys?: ServerKeys;
}

/** Changes a provider. The caller has checked the settings and the permissions. */
export function changeProviderIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  row: EmailProviderRow,
  changes: Changes,
  origin: Origin,
): Promise<Details> {
  return recordIn(ctx, tx, {
    ...aboutProvider(emailChannel, owner, "changed", origin),
    async state(_, now) {
      const { smtpUrl, sender, description, replyTo } = changes;
      const isSameServer = openServer(ctx, row)?.smtpUrl === smtpUrl;
      const keys = changes.keys ?? fittingKeys(openKeys(ctx, row.sealedKeys), isSameServer, sender);
      const data = {
        sealedAddress: ctx.secrets.seal("mail", smtpUrl),
        sealedKeys: sealKeys(ctx, keys),
        sender,
        description,
        replyTo,
        // A user who only corrects a description is not answerable for a server that another user chose.
        ...(!isSameServer && { changedBy: await answerableFor(tx, origin) }),
      };
      await rows.update(tx, row.id, data, now);
      return { payload: { ...auditedProvider(row.id, changes), ...auditedKeys(keys), description, replyTo } };
    },
  });
}
