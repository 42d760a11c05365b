/**
 * The test button of mail settings: sends one marked mail at once, with exactly these settings and bypassing the queue,
 * and returns the mail server's response. The mail goes to the caller's verified address or, on request, to another
 * one. Unsaved settings may only connect to public addresses (attack: using the service to scan its own network).
 */
import { z } from "zod";
import type { Caller } from "../access/caller";
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { email, identifier, strict } from "../directory/fields";
import { ofKind, type SmtpAddress, type WebhookAddress } from "../directory/provider/address";
import { emailChannel, ofInstance, ofOrganization } from "../directory/provider/channel";
import { readSettings } from "../directory/provider/form";
import { findProvider, isKind, openAddress, openProvider, type Provider } from "../directory/provider/provider";
import { serviceSender } from "../directory/provider/sender";
import { fittingKeys } from "../directory/provider/server-keys";
import { resolveServer } from "../directory/provider/smtp";
import {
  type MailSettings,
  mailSettingsSchema,
  refusePort,
  smtpAddress,
  smtpProviderSchema,
} from "../directory/provider/smtp-address";
import { record } from "../events/record";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import { findRecipient } from "../storage/message/recipients";
import { mailPartsOf, repliedTo } from "./attempt-mail";
import { composeMessage } from "./compose";
import { webhookTransport } from "./mail-webhook";
import { type MailRoutesOptions, publicAddressOf, spokenToWith } from "./routes";
import { smtpTransport, type Transport } from "./transport";
import { countTrial } from "./trial-limit";

export interface TestMailSettings {
  level: "instance" | "organization";
  /** At organization level, the organization in the request; undefined: the caller's own. */
  organizationId?: string;
  /** Settings that replace the saved ones, completely or partly; undefined: the saved settings. */
  body: unknown;
  /** The client's IP address. */
  address?: string;
  requestId?: string;
}

export interface TestedMailSettings {
  recipient: string;
  /** The mail server's last response. */
  answer: string;
}

/** Milliseconds after which a test message counts as not sent; a user waits for the result. */
const SEND_TIMEOUT = 25_000;
/** A type without a code and without a request to the reader. */
const TYPE = "password_change";

/** Given settings follow the rules of saved ones. */
const givenSchema = mailSettingsSchema.partial();

/** Tests the active settings, or the given ones in their place. */
export async function testMailSettings(
  ctx: Context,
  caller: Caller,
  request: TestMailSettings,
  options: MailRoutesOptions = {},
): Promise<TestedMailSettings | ApiError> {
  const organizationId = organizationOf(caller, request);
  const refusal = await refuseTrial(ctx, caller, organizationId);
  if (refusal) return refusal;
  const settings = await settingsToTry(ctx, organizationId, request.body);
  return isApiError(settings) ? settings : trySettings(ctx, caller, { settings }, request, options);
}

const receiverAddress = email.or(z.literal("")).optional();
export const receiverSchema = strict({ receiverAddress });
/** With the id of a saved provider, its password is used if none is given, by the rules of changing it. */
export const trialSchema = smtpProviderSchema.extend({ id: identifier.optional(), receiverAddress });

/** Tests one provider, active or not. */
export async function testProvider(
  ctx: Context,
  caller: Caller,
  request: TestMailSettings & { providerId: string },
  options: MailRoutesOptions = {},
): Promise<TestedMailSettings | ApiError> {
  const organizationId = organizationOf(caller, request);
  const refusal = await refuseTrial(ctx, caller, organizationId);
  if (refusal) return refusal;
  const given = readSettings(emailChannel, receiverSchema, request.body ?? {});
  if (isApiError(given)) return given;
  const row = await savedProvider(ctx, organizationId, request.providerId);
  const provider = row && openProvider(ctx, row);
  const settings = isKind(provider, "http") || isKind(provider, "smtp") ? provider : undefined;
  if (!settings) return emailChannel.noProvider();
  return trySettings(ctx, caller, { settings, receiver: given.receiverAddress || undefined }, request, options);
}

/** Tests unsaved settings. */
export async function testProviderSettings(
  ctx: Context,
  caller: Caller,
  request: TestMailSettings,
  options: MailRoutesOptions = {},
): Promise<TestedMailSettings | ApiError> {
  const organizationId = organizationOf(caller, request);
  const refusal = await refuseTrial(ctx, caller, organizationId);
  if (refusal) return refusal;
  const given = readSettings(emailChannel, trialSchema, request.body);
  if (isApiError(given)) return given;
  const row = given.id === undefined ? undefined : await savedProvider(ctx, organizationId, given.id);
  if (given.id !== undefined && !row) return emailChannel.noProvider();
  const wrongPort = refusePort(ctx, smtpAddress(given, ""));
  if (wrongPort) return wrongPort;
  const settings = resolveServer(ctx, given, ofKind("smtp", row && openAddress(ctx, row)));
  if (isApiError(settings)) return settings;
  return trySettings(ctx, caller, { settings, receiver: given.receiverAddress || undefined }, request, options);
}

async function savedProvider(ctx: Context, organizationId: string | undefined, id: string) {
  const { ownerId } = organizationId === undefined ? await ofInstance(ctx) : ofOrganization(organizationId);
  return emailChannel.rows.find(ctx.db, ownerId, id);
}

/** Returns undefined for the instance. */
function organizationOf(caller: Caller, { level, organizationId }: TestMailSettings): string | undefined {
  return level === "instance" ? undefined : (organizationId ?? caller.organizationId);
}

function refuseTrial(ctx: Context, caller: Caller, organizationId: string | undefined): Promise<ApiError | undefined> {
  const permission = organizationId === undefined ? "iam.policy.write" : "policy.write";
  return checkPermission(ctx, caller, permission, { organizationId });
}

interface Tried {
  settings: Provider<WebhookAddress> | ServerToTry;
  /** Undefined for the caller. */
  receiver?: string;
}

interface ServerToTry {
  address: SmtpAddress;
  sender?: string;
  replyTo?: string | null;
  /** Whether the operator set the server in the environment, so that it may have any address. */
  isOperators?: boolean;
}

const isWebhook = (settings: Tried["settings"]): settings is Provider<WebhookAddress> =>
  settings.address.kind === "http";

async function trySettings(
  ctx: Context,
  caller: Caller,
  { settings, ...wanted }: Tried,
  request: TestMailSettings,
  options: MailRoutesOptions,
): Promise<TestedMailSettings | ApiError> {
  const person = await findRecipient(ctx.db, caller.userId);
  const ownAddress = person?.isEmailVerified ? (person.email ?? undefined) : undefined;
  const receiver = wanted.receiver ?? ownAddress;
  if (receiver === undefined) {
    return failedPrecondition(
      "user.no_verified_email",
      "You have no verified email address to send it to. Confirm yours first.",
    );
  }
  const tooMany = await countTrial(ctx, caller.userId, request.address);
  if (tooMany) return tooMany;
  const transport = await transportBy(ctx, settings, options);
  if (isApiError(transport)) return transport;
  const organizationId = organizationOf(caller, request);
  try {
    // Another recipient must not learn the caller's data, and machines have no name: they get the sample.
    const userId = receiver === ownAddress ? caller.userId : undefined;
    const trial = { caller, userId, settings, receiver, organizationId, requestId: request.requestId };
    return await trySending(ctx, transport, trial);
  } finally {
    transport.close();
  }
}

async function settingsToTry(
  ctx: Context,
  organizationId: string | undefined,
  body: unknown = {},
): Promise<ServerToTry | ApiError> {
  const given = readSettings(emailChannel, givenSchema, body);
  if (isApiError(given)) return given;
  const active = await findProvider(ctx, emailChannel, organizationId);
  const provider = isKind(active, "smtp") ? active : undefined;
  const server = provider && { smtpUrl: provider.address.smtpUrl, sender: provider.sender };
  const saved = server ?? (organizationId === undefined ? operatorsSettings(ctx) : undefined);
  const { smtpUrl = saved?.smtpUrl, sender = saved?.sender } = given;
  if (smtpUrl === undefined) return notFound("mail_settings.not_found", "No mail server is set; send smtpUrl.");
  if (sender === undefined) return emailChannel.wrong("sender", reason("required"));
  const isOperators = organizationId === undefined && given.smtpUrl === undefined && !provider;
  const keys = provider ? fittingKeys(provider.address.keys, smtpUrl === provider.address.smtpUrl, sender) : {};
  return { address: { kind: "smtp", smtpUrl, keys }, sender, replyTo: provider?.replyTo, isOperators };
}

function operatorsSettings(ctx: Context): Partial<MailSettings> {
  return { smtpUrl: ctx.config.smtpUrl, sender: serviceSender(ctx) };
}

async function transportBy(
  ctx: Context,
  settings: Tried["settings"],
  options: MailRoutesOptions,
): Promise<Transport | ApiError> {
  if (isWebhook(settings)) return webhookTransport(ctx, settings, options);
  const { smtpUrl, keys } = settings.address;
  if (settings.isOperators) return smtpTransport(smtpUrl, { sendTimeout: SEND_TIMEOUT });
  const address = await publicAddressOf(ctx, smtpUrl, options);
  if (address !== undefined) {
    return smtpTransport(smtpUrl, { sendTimeout: SEND_TIMEOUT, address, ...spokenToWith(ctx, keys, options) });
  }
  return failedPrecondition("mail_settings.test_failed", "The mail server's name leads to no public address.");
}

interface Trial {
  caller: Caller;
  /** The user whom the mail greets; undefined: a sample person. */
  userId: string | undefined;
  settings: Tried["settings"];
  receiver: string;
  organizationId: string | undefined;
  requestId: string | undefined;
}

async function trySending(ctx: Context, transport: Transport, trial: Trial): Promise<TestedMailSettings | ApiError> {
  const { caller, userId, settings, receiver: recipient, organizationId, requestId } = trial;
  const sample = userId === undefined ? "usual" : undefined;
  const composed = await composeMessage(ctx, { type: TYPE, userId, organizationId, isTest: true, sample });
  if (typeof composed === "string") throw new Error(composed); // a sample has no code, and the user was just read
  const { subject, html, text, language } = composed;
  const { sender = "", replyTo } = settings;
  const { headers } = repliedTo(composed, replyTo ?? undefined);
  const messageId = `<${newId()}@${new URL(ctx.config.baseUrl).hostname}>`;
  const letter = { messageId, date: ctx.clock(), sender, recipient, subject, html, text, headers };
  const mail = { ...letter, parts: mailPartsOf(composed) };
  await record(
    { ...ctx, origin: { actor: caller.userId, requestId } },
    {
      type: "user.trial_message.requested",
      object: { id: caller.userId, organizationId: caller.organizationId },
      state: async () => ({ payload: { messageType: TYPE, language } }),
    },
  );
  const delivery = await transport.send(mail);
  if (delivery.outcome === "sent") return { recipient, answer: delivery.answer };
  const reason = delivery.outcome === "kept" ? "no mail server is set" : delivery.answer;
  return failedPrecondition("mail_settings.test_failed", `The mail was not sent: ${reason}`);
}
