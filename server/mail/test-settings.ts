/**
 * The test button of mail settings: one marked mail to the verified address of whoever presses it, at once, by exactly
 * these settings and past the queue; the answer is that of the mail server. What somebody typed is connected to only in
 * the public Internet (attack: using the service to look around in its own network).
 */
import type { Caller } from "../access/caller";
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { findMailSettings, type MailSettings, mailSettingsSchema } from "../directory/organization/mail-settings";
import { record } from "../events/record";
import { type ApiError, failedPrecondition, invalidArgument, isApiError, notFound } from "../protocol/api-error";
import { inputIssues, wordIssue } from "../protocol/input-issues";
import { type Reason, reason, sentenceOf } from "../protocol/reason";
import { findRecipient, type RecipientRow } from "../storage/recipients";
import { composeMessage } from "./compose";
import { type MailRoutesOptions, publicAddressOf } from "./routes";
import { smtpTransport, type Transport } from "./transport";
import { countTrial } from "./trial-limit";

export interface TestMailSettings {
  level: "instance" | "organization";
  /** At organization level the one the request names; undefined: the caller's own. */
  organizationId?: string;
  /** What is to be tried in place of what is saved, whole or in part; undefined: what is saved. */
  body: unknown;
  /** The client's. */
  address?: string;
  requestId?: string;
}

export interface TestedMailSettings {
  recipient: string;
  /** The mail server's last word. */
  answer: string;
}

/** Milliseconds; somebody looks at a button. */
const PATIENCE = 25_000;
/** The kind that carries no code and asks for nothing. */
const TYPE = "password_change";

/** What is given is part of what can be saved, by the same rules. */
const givenSchema = mailSettingsSchema.partial();

export async function testMailSettings(
  ctx: Context,
  caller: Caller,
  request: TestMailSettings,
  options: MailRoutesOptions = {},
): Promise<TestedMailSettings | ApiError> {
  const organizationId = request.level === "instance" ? undefined : (request.organizationId ?? caller.organizationId);
  const permission = organizationId === undefined ? "iam.policy.write" : "policy.write";
  const refusal = await checkPermission(ctx, caller, permission, { organizationId });
  if (refusal) return refusal;
  const settings = await settingsToTry(ctx, organizationId, request.body);
  if (isApiError(settings)) return settings;
  const person = await findRecipient(ctx.db, caller.userId);
  if (!person?.email || !person.isEmailVerified) {
    return failedPrecondition("user.no_verified_email", "You have no verified e-mail address it could be sent to.");
  }
  const tooMany = await countTrial(ctx, caller.userId, request.address);
  if (tooMany) return tooMany;
  const transport = await transportBy(settings, options);
  if (isApiError(transport)) return transport;
  try {
    return await trySending(ctx, transport, { person, settings, organizationId, requestId: request.requestId });
  } finally {
    transport.close();
  }
}

interface SettingsToTry extends MailSettings {
  /** The operator set the server in the environment: it may stand anywhere. */
  isOperators: boolean;
}

async function settingsToTry(
  ctx: Context,
  organizationId: string | undefined,
  body: unknown = {},
): Promise<SettingsToTry | ApiError> {
  const given = givenSchema.safeParse(body, { error: wordIssue });
  if (!given.success) {
    const [issue] = inputIssues(given.error);
    return wrongSettings(issue?.path || undefined, issue?.reason ?? reason("not_valid"));
  }
  const saved = organizationId === undefined ? operatorsSettings(ctx) : await findMailSettings(ctx, organizationId);
  const { smtpUrl = saved?.smtpUrl, sender = saved?.sender } = given.data;
  if (smtpUrl === undefined) return notFound("mail_settings.not_found", "No mail server is set; send smtpUrl.");
  if (sender === undefined) return wrongSettings("sender", reason("required"));
  const isOperators = organizationId === undefined && given.data.smtpUrl === undefined;
  return { smtpUrl, sender, isOperators };
}

const wrongSettings = (field: string | undefined, why: Reason): ApiError =>
  invalidArgument("mail_settings.invalid", sentenceOf(why), { field, reason: why });

function operatorsSettings({ config }: Context): Partial<MailSettings> {
  return { smtpUrl: config.smtpUrl, sender: config.mailFrom ?? `no-reply@${new URL(config.baseUrl).hostname}` };
}

async function transportBy(settings: SettingsToTry, options: MailRoutesOptions): Promise<Transport | ApiError> {
  const { smtpUrl, isOperators } = settings;
  if (isOperators) return smtpTransport(smtpUrl, { sendTimeout: PATIENCE });
  const address = await publicAddressOf(smtpUrl, options);
  if (address !== undefined) return smtpTransport(smtpUrl, { sendTimeout: PATIENCE, address });
  return failedPrecondition("mail_settings.test_failed", "The mail server's name leads to no public address.");
}

interface Trial {
  person: RecipientRow;
  settings: MailSettings;
  organizationId: string | undefined;
  requestId: string | undefined;
}

async function trySending(ctx: Context, transport: Transport, trial: Trial): Promise<TestedMailSettings | ApiError> {
  const { person, settings, organizationId, requestId } = trial;
  const composed = await composeMessage(ctx, { type: TYPE, userId: person.id, organizationId, isTest: true });
  if (typeof composed === "string") throw new Error(composed); // a sample has no code, and the person was just read
  const recipient = person.email ?? "";
  const { subject, html, text, headers, language } = composed;
  const messageId = `<${newId()}@${new URL(ctx.config.baseUrl).hostname}>`;
  const mail = { messageId, date: ctx.clock(), sender: settings.sender, recipient, subject, html, text, headers };
  await record(ctx, {
    type: "user.trial_message.requested",
    aggregateId: person.id,
    resourceOwner: person.organizationId,
    origin: { actor: person.id, requestId },
    state: async () => ({ payload: { messageType: TYPE, language } }),
  });
  const delivery = await transport.send(mail);
  if (delivery.outcome === "sent") return { recipient, answer: delivery.answer };
  const reason = delivery.outcome === "kept" ? "no mail server is set" : delivery.answer;
  return failedPrecondition("mail_settings.test_failed", `The mail was not sent: ${reason}`);
}
