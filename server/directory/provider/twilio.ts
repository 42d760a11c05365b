/** An account at Twilio, or at a service with the same API, that sends text messages. */
import { z } from "zod";
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { issue, reason } from "../../protocol/reason";
import { parseUrl } from "../../protocol/url";
import { line, strict } from "../fields";
import type { TwilioAddress } from "./address";
import type { ProviderChannel } from "./channel";
import { type FormSettings, providerForm } from "./form";
import { declaredProvider, whyNotCalled } from "./webhook";

export const TWILIO_URL = "https://api.twilio.com";

/** A number in E.164, a short code, or a name of up to eleven letters and digits, at least one of them a letter. */
const SENDER = /^(\+[1-9]\d{4,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ]{0,10})$/;

const token = line(500);
const description = line(200, 0).optional();

const twilio = {
  sid: line(100).refine((text) => /^[A-Za-z0-9]+$/.test(text), { error: issue("letters_digits") }),
  senderNumber: line(50).refine((text) => SENDER.test(text), { error: issue("sms_sender") }),
  baseUrl: line(2_000)
    .or(z.literal(""))
    .optional()
    .meta({ description: `Defaults to ${TWILIO_URL}` }),
  description,
  verifyServiceSid: z
    .literal("", { error: issue("no_verify_service") })
    .optional()
    .meta({ description: "Not supported: this service makes and checks codes itself, without Twilio Verify" }),
};
const addedSchema = strict({ ...twilio, token });
const changedSchema = strict({ ...twilio, token: token.or(z.literal("")).optional() });
const tokenSchema = strict({ token });
const { sid, senderNumber, baseUrl } = twilio;
export const declaredSmsProvider = declaredProvider(
  "twilio",
  strict({ sid, senderNumber, baseUrl, token: token.optional() }),
);
export type DeclaredSmsProvider = z.output<typeof declaredSmsProvider>;

/** The form to add an account. */
export const addedTwilio = providerForm("twilio", addedSchema, readTwilio);
/** The form to change an account. Without a token, the saved one is kept if the address is unchanged. */
export const changedTwilio = providerForm("twilio", changedSchema, readTwilio);

function readTwilio(ctx: Context, given: z.output<typeof changedSchema>, channel: ProviderChannel) {
  const { sid, senderNumber: sender, description, token } = given;
  const baseUrl = given.baseUrl || TWILIO_URL;
  const why = whyNotCalled(ctx, baseUrl) ?? (parseUrl(baseUrl)?.search ? reason("no_parameters") : undefined);
  if (why) return channel.wrong("baseUrl", why);
  return (saved: TwilioAddress | undefined): FormSettings<TwilioAddress> | ApiError => {
    // A token is only kept for the server it was given for (attack: naming another server, which then receives it).
    const kept = token || (saved?.baseUrl === baseUrl ? saved.token : undefined);
    if (kept === undefined) return channel.wrong("token", reason("token_bound"));
    return { address: { kind: "twilio", baseUrl, sid, token: kept }, sender, description };
  };
}

/** The form to replace the token alone. */
export const twilioToken = providerForm(
  "twilio",
  tokenSchema,
  (_, { token }, channel) =>
    (saved) =>
      saved ? { address: { ...saved, token } } : channel.noProvider(),
);
