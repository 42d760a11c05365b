/**
 * Replaces what a provider has, or its password alone. A password stays only with the server and the user it was given
 * for (attack: naming another server, which then receives the saved password).
 */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import type { Transaction } from "../../storage/database";
import type { EmailProviderRow } from "../../storage/email-providers";
import { changeDirectory } from "../change";
import { line, strict } from "../fields";
import { answerableFor } from "../member/answerable";
import { aboutProvider, type ProviderOwner } from "../provider/channel";
import { checkPowerOverMessages } from "../provider/power";
import {
  givenPassword,
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
    refusePort(ctx, smtpAddress(settings, "")) ?? (await checkPowerOverMessages(ctx, origin.actor, owner));
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await rows.read(tx, owner.ownerId, id);
    if (row?.kind !== "smtp") return noProvider();
    const smtpUrl = changedAddress(ctx, row, settings);
    if (isApiError(smtpUrl)) return smtpUrl;
    const { description = row.description, replyToAddress } = settings;
    const changes = { smtpUrl, sender: senderOf(settings), description, replyTo: replyToAddress || null };
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
  const refusal = await checkPowerOverMessages(ctx, origin.actor, owner);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await rows.read(tx, owner.ownerId, id);
    const opened = row && openServer(ctx, row);
    if (!row || !opened) return noProvider();
    const url = new URL(opened.smtpUrl);
    if (url.username === "") return wrongSettings("password", reason("no_mail_user"));
    url.password = settings.password;
    const { description, replyTo, sender } = row;
    return changeProviderIn(ctx, tx, owner, row, { smtpUrl: url.href, sender, description, replyTo }, origin);
  });
}

/** The address after a change: with the password that is given, or with the one there is if it goes nowhere else. */
export function changedAddress(ctx: Context, row: EmailProviderRow, settings: SmtpProvider): string | ApiError {
  const given = givenPassword(settings);
  const stored = openServer(ctx, row)?.smtpUrl;
  if (given !== undefined || stored === undefined) return smtpAddress(settings, given ?? "");
  const before = showAddress(stored);
  const after = showAddress(smtpAddress(settings, ""));
  if (!before.hasPassword || after.user === undefined) return smtpAddress(settings, "");
  const isSame = before.host === after.host && before.port === after.port && before.user === after.user;
  if (isSame && (after.tls || !before.tls)) return smtpAddress(settings, passwordOf(stored));
  return wrongSettings("password", reason("password_bound"));
}

interface Changes {
  smtpUrl: string;
  sender: string;
  description: string;
  replyTo: string | null;
}

/** The caller has checked the settings and the permissions. */
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
      const data = {
        sealedAddress: ctx.secrets.seal("mail", smtpUrl),
        sender,
        description,
        replyTo,
        // Whoever only corrects a description does not answer for the server that somebody else has chosen.
        ...(!isSameServer && { changedBy: await answerableFor(tx, origin) }),
      };
      await rows.update(tx, row.id, data, now);
      return { payload: { ...auditedProvider(row.id, changes), description, replyTo } };
    },
  });
}
