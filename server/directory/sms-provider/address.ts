/**
 * The address and credentials of a provider of text messages: an account at Twilio, or a webhook. Its secrets are given
 * once and never shown again, so the whole is stored as one sealed text.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { inputIssues, wordIssue } from "../../protocol/input-issues";
import { issue, type Reason, reason, sentenceOf } from "../../protocol/reason";
import { parseUrl } from "../../protocol/url";
import { line, strict } from "../fields";
import { declaredWebhook, type WebhookAddress, whyNotCalled } from "../provider/webhook";

/** An account at Twilio, or at a service with the same API. */
export interface TwilioAddress {
  kind: "twilio";
  baseUrl: string;
  sid: string;
  token: string;
}

export type SmsAddress = TwilioAddress | WebhookAddress;

export const TWILIO_URL = "https://api.twilio.com";

/** A number in E.164, a short code, or a name of up to eleven letters and digits, at least one of them a letter. */
const SENDER = /^(\+[1-9]\d{4,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ]{0,10})$/;

const url = line(2_000);
const token = line(500);
const description = line(200, 0).optional();

const twilio = {
  sid: line(100).refine((text) => /^[A-Za-z0-9]+$/.test(text), { error: issue("letters_digits") }),
  senderNumber: line(50).refine((text) => SENDER.test(text), { error: issue("sms_sender") }),
  baseUrl: url
    .or(z.literal(""))
    .optional()
    .meta({ description: `Defaults to ${TWILIO_URL}` }),
  description,
  verifyServiceSid: z
    .literal("", { error: issue("no_verify_service") })
    .optional()
    .meta({ description: "Not supported: this service makes and checks codes itself, without Twilio Verify" }),
};
export const addedTwilioSchema = strict({ ...twilio, token });
/** The schema of changes. Without a token, the saved one is kept if the address is unchanged. */
export const changedTwilioSchema = strict({ ...twilio, token: token.or(z.literal("")).optional() });
export const tokenSchema = strict({ token });
const { sid, senderNumber, baseUrl } = twilio;
/** A provider in the bootstrap file, where the description identifies it. Secrets may be omitted if they are saved. */
export const declaredSmsProvider = strict({
  description: line(200),
  active: z.boolean().optional(),
  twilio: strict({ sid, senderNumber, baseUrl, token: token.optional() }).optional(),
  http: declaredWebhook.optional(),
}).superRefine(({ twilio, http }, issues) => {
  if ((twilio === undefined) !== (http === undefined)) return;
  issues.addIssue({ code: "custom", message: issue("one_or_other", { one: "twilio", other: "http" }) });
});
export type DeclaredSmsProvider = z.output<typeof declaredSmsProvider>;

export function readSmsSettings<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> | ApiError {
  const parsed = schema.safeParse(given, { error: wordIssue });
  if (parsed.success) return parsed.data;
  const [issue] = inputIssues(parsed.error);
  return wrongSms(issue?.path || undefined, issue?.reason ?? reason("not_valid"));
}

/** Returns the error for one field. */
export const wrongSms = (field: string | undefined, why: Reason): ApiError =>
  invalidArgument("sms_provider.invalid", sentenceOf(why), { field, reason: why });

/** Returns an error for this field if the address may not be called. */
export function refuseAddress(ctx: Context, field: "baseUrl" | "endpoint", address: string): ApiError | undefined {
  const why = whyNotCalled(ctx, address);
  if (why) return wrongSms(field, why);
  return field === "baseUrl" && parseUrl(address)?.search ? wrongSms(field, reason("no_parameters")) : undefined;
}

/** Returns only the host, because paths and parameters of a webhook often contain a secret. */
export const hostOf = (address: SmsAddress): string =>
  new URL(address.kind === "twilio" ? address.baseUrl : address.endpoint).host;
