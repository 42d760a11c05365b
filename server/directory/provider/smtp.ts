/**
 * The forms of a mail server. A password is only kept for the server and the user it was given for (attack: naming
 * another server, which then receives the saved password).
 */
import type { Context } from "../../context";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { line, strict } from "../fields";
import type { SmtpAddress } from "./address";
import { emailChannel } from "./channel";
import { type FormSettings, providerForm } from "./form";
import { resolveKeys } from "./server-keys";
import {
  givenPassword,
  isSameServer,
  passwordOf,
  refusePort,
  type SmtpProvider,
  senderOf,
  showAddress,
  smtpAddress,
  smtpProviderSchema,
} from "./smtp-address";

/** The form to add or change a mail server. */
export const smtpForm = providerForm(
  "smtp",
  smtpProviderSchema,
  (ctx, given) => refusePort(ctx, smtpAddress(given, "")) ?? ((saved) => resolveServer(ctx, given, saved)),
);

/** Returns the settings to store; omitted secrets keep their saved values. */
export function resolveServer(
  ctx: Context,
  given: SmtpProvider,
  saved: SmtpAddress | undefined,
): FormSettings<SmtpAddress> | ApiError {
  const smtpUrl = resolveAddress(given, saved?.smtpUrl);
  if (isApiError(smtpUrl)) return smtpUrl;
  const keys = resolveKeys(ctx, given, saved);
  if (isApiError(keys)) return keys;
  const { description, replyToAddress } = given;
  return {
    address: { kind: "smtp", smtpUrl, keys },
    sender: senderOf(given),
    description,
    replyTo: replyToAddress || null,
  };
}

/** Returns the address with the given password, or with the saved one if server and user are the same. */
function resolveAddress(settings: SmtpProvider, saved: string | undefined): string | ApiError {
  const given = givenPassword(settings);
  if (given !== undefined || saved === undefined || settings.xoauth2) return smtpAddress(settings, given ?? "");
  const after = showAddress(smtpAddress(settings, ""));
  if (!showAddress(saved).hasPassword || after.user === undefined) return smtpAddress(settings, "");
  if (isSameServer(saved, settings)) return smtpAddress(settings, passwordOf(saved));
  return emailChannel.wrong("password", reason("password_bound"));
}

/** The form to replace the password alone, which is then used instead of access tokens. */
export const smtpPassword = providerForm(
  "smtp",
  strict({ password: line(500) }),
  (_, { password }, channel) =>
    (saved) => {
      if (!saved) return channel.noProvider();
      const url = new URL(saved.smtpUrl);
      if (url.username === "") return channel.wrong("password", reason("no_mail_user"));
      url.password = password;
      return { address: { ...saved, smtpUrl: url.href, keys: { dkim: saved.keys.dkim } } };
    },
);
