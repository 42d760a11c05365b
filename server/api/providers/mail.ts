/**
 * The mail page: which mails and text messages were sent to whom and with what result, and by which mail server an
 * organization sends.
 */
import { z } from "zod";
import { identifier, strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import type { Permission } from "../../directory/member/permissions";
import { getMailSettings, putMailSettings, removeMailSettings } from "../../directory/provider/mail-settings";
import { type MailScope, mailOf, mailPage, retryMail, retryMails } from "../../mail/mail-page";
import type { ListedMessage, MessageWithContent } from "../../mail/mailbox";
import { testMailSettings } from "../../mail/test-settings";
import { MESSAGE_TYPES } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { answered, detailsAnswer } from "../operation/answers";
import { type Operation, type OperationCall, type OperationScope, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";

const LEVELS = [
  {
    level: "instance",
    ids: {
      list: "ListInstanceMessages",
      get: "GetInstanceMessage",
      retry: "RetryInstanceMessage",
      retryAll: "RetryInstanceMessages",
      test: "TestInstanceMailSettings",
    },
    path: "/admin/v1",
    of: "of all organizations",
  },
  {
    level: "organization",
    ids: {
      list: "ListMessages",
      get: "GetMessage",
      retry: "RetryMessage",
      retryAll: "RetryMessages",
      test: "TestMailSettings",
    },
    path: "/management/v1",
    of: "of an organization",
  },
] as const;
type Level = (typeof LEVELS)[number]["level"];

type MailPermission = Extract<Permission, "user.read" | `${string}policy.${string}`>;
const scopeOf = (level: Level, permission: MailPermission): OperationScope => ({ level, permission });

function mailScopeOf(level: Level, { caller, organizationId }: OperationCall<unknown, unknown>): MailScope {
  return { caller, level, organizationId: level === "organization" ? organizationId : undefined };
}

const STATES = ["queued", "sent", "kept", "failed", "expired"] as const;
const CHANNELS = ["email", "sms", "webhook"] as const;

const listed = {
  id: z.string(),
  type: z.string(),
  organizationId: z.string(),
  userId: z.string().nullable(),
  recipient: z.string(),
  state: z.enum(STATES),
  attempts: z.int(),
  lastAnswer: z.string().nullable().meta({ description: "The provider's answer, or why it was not sent" }),
  channel: z
    .enum(CHANNELS)
    .optional()
    .meta({ description: "How it was sent at last, or will be; left out if an earlier release sent it" }),
  subject: z.string().nullable(),
  creationDate: timestamp,
  nextAttempt: timestamp.optional(),
  expirationDate: timestamp.optional(),
  settledDate: timestamp.optional(),
};
const message = z.object(listed).meta({ id: "Message" });
const deliveryAttempt = z
  .object({
    date: timestamp,
    answer: z.string().meta({ description: "The provider's answer, or why it was not sent" }),
  })
  .meta({ id: "DeliveryAttempt", description: "The result of an attempt to send a message" });
const rendered = z
  .object({
    channel: z.enum(["mail", "sms"]).meta({ description: "`sms`: it has a text and nothing else" }),
    messageId: z.string(),
    date: timestamp,
    sender: z.string(),
    recipient: z.string(),
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    headers: z.record(z.string(), z.string()),
  })
  .meta({ id: "RenderedMessage" });

const time = (at: number): string => new Date(at).toISOString();

function toMessage(row: ListedMessage): z.input<typeof message> {
  const { id, type, organizationId, userId, recipient, state, attempts, lastAnswer, channel, subject } = row;
  const { createdAt, nextAttemptAt, expiresAt, settledAt } = row;
  return {
    id,
    type,
    organizationId,
    userId,
    recipient,
    state,
    attempts,
    lastAnswer,
    ...(channel !== null && { channel }),
    subject,
    creationDate: time(createdAt),
    ...(state === "queued" && { nextAttempt: time(nextAttemptAt) }),
    ...(expiresAt !== null && { expirationDate: time(expiresAt) }),
    ...(settledAt !== null && { settledDate: time(settledAt) }),
  };
}

/** Returns the rendered message, also under its former name. */
function toRendered({ rendered: kept }: MessageWithContent) {
  if (!kept) return {};
  const date = time(kept.date);
  if (kept.channel !== "sms") return bothNames({ ...kept, channel: "mail", date });
  const { messageId, sender, recipient, text } = kept;
  return bothNames({ channel: "sms", messageId, date, sender, recipient, text, subject: "", html: "", headers: {} });
}

const bothNames = (message: z.input<typeof rendered>) => ({ message, letter: message });

/** Checked where they are used (directory), which gives better messages. */
const settingsBody = z.unknown().meta({
  type: "object",
  properties: {
    smtpUrl: { type: "string", example: "smtps://user:password@mail.example.com" },
    sender: { type: "string", example: "ACME <mail@example.com>" },
  },
});

const tested = z.object({
  recipient: z.string(),
  answer: z.string().meta({ description: "The mail server's latest answer" }),
});

const tag = "Mail";
/** The filters of the message log. */
const filter = {
  recipient: z
    .string()
    .trim()
    .min(1, { error: issue("empty") })
    .max(320)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .optional()
    .meta({ description: "An address or its beginning, in any case", example: "ada@" }),
  userId: identifier.optional(),
  state: z.enum(STATES).optional(),
  type: z.enum(MESSAGE_TYPES).optional(),
  channel: z.enum(CHANNELS).optional().meta({ description: "How it was sent at last, or will be" }),
  from: instant.optional().meta({ description: "Written then or later" }),
  to: instant.optional().meta({ description: "Written then or earlier" }),
};
const FILTERS = {
  instance: { ...filter, organizationId: identifier.optional() },
  organization: filter,
} satisfies Record<Level, object>;

const page = {
  limit: z
    .string()
    .regex(/^\d{1,4}$/, { error: issue("whole_number") })
    .transform(Number)
    .optional(),
  pageToken: z.string().optional(),
};
const SETTINGS = "/management/v1/mail_settings";

export const mailOperations: readonly Operation[] = [
  ...LEVELS.flatMap(({ level, ids, path, of }) => [
    operation(ids.list, `GET ${path}/messages`, {
      tag,
      summary: `List the emails and text messages ${of}, newest first`,
      scope: scopeOf(level, "user.read"),
      query: z.object({ ...page, ...FILTERS[level] }),
      answer: z.object({ messages: z.array(message), nextPageToken: z.string().optional() }),
      handle: (ctx, call) =>
        answered(mailPage(ctx, mailScopeOf(level, call), call.query), (found) => ({
          ...found,
          messages: found.messages.map(toMessage),
        })),
    }),
    operation(ids.get, `GET ${path}/messages/:id`, {
      tag,
      summary: "Read a mail or a text message",
      description: "The content is returned only to callers who may change the instance's settings.",
      scope: scopeOf(level, "user.read"),
      answer: z.object({
        message: z.object({
          ...listed,
          deliveryAttempts: z.array(deliveryAttempt).meta({ description: "Oldest first, 200 at most" }),
          message: rendered.optional(),
          letter: rendered.optional().meta({ deprecated: true, description: "The former name of `message`" }),
        }),
      }),
      async handle(ctx, call) {
        const found = await mailOf(ctx, mailScopeOf(level, call), call.parameters.id ?? "");
        if (isApiError(found)) return found;
        const deliveryAttempts = found.deliveryAttempts.map(({ at, answer }) => ({ date: time(at), answer }));
        return { message: { ...toMessage(found), deliveryAttempts, ...toRendered(found) } };
      },
    }),
    operation(ids.retry, `POST ${path}/messages/:id/_retry`, {
      tag,
      summary: "Send a failed mail or text message again",
      scope: scopeOf(level, level === "instance" ? "iam.policy.write" : "policy.write"),
      answer: z.object({}),
      handle: (ctx, call) => answered(retryMail(ctx, mailScopeOf(level, call), call.parameters.id ?? ""), () => ({})),
    }),
    operation(ids.retryAll, `POST ${path}/messages/_retry`, {
      tag,
      summary: `Send failed emails ${of} again`,
      description:
        "Sends matching emails again, 1000 per request, oldest first. Emails whose code has expired are not sent.",
      scope: scopeOf(level, level === "instance" ? "iam.policy.write" : "policy.write"),
      body: strict({ ...FILTERS[level], state: z.literal("failed").optional() }),
      answer: z.object({
        retried: z.int(),
        hasMore: z.boolean().meta({ description: "Whether there may be more that match" }),
      }),
      handle: (ctx, call) => retryMails(ctx, mailScopeOf(level, call), call.body),
    }),
    operation(ids.test, `POST ${path}/mail_settings/_test`, {
      effort: "call",
      tag,
      summary: "Send a trial mail to the caller, with the saved or the given settings",
      scope: scopeOf(level, level === "instance" ? "iam.policy.write" : "policy.write"),
      body: settingsBody,
      answer: tested,
      handle: (ctx, call) => {
        const { caller, organizationId, body, address } = call;
        const request = { level, organizationId, body, address, requestId: ctx.origin.requestId };
        return testMailSettings(ctx, caller, request);
      },
    }),
  ]),
  operation("GetMailSettings", `GET ${SETTINGS}`, {
    tag,
    summary: "Read the mail server of an organization",
    description: "Returns the mail server of its active mail provider.",
    scope: scopeOf("organization", "policy.read"),
    answer: z.object({
      mailSettings: z.object({
        host: z.string(),
        port: z.int().optional(),
        user: z.string().optional(),
        hasPassword: z.boolean(),
        sender: z.string(),
        isBypassed: z.literal(true).optional().meta({
          description:
            "True if codes to users with roles outside the organization are sent by the service's own server, because the user who configured this one lacks these roles; otherwise left out.",
        }),
      }),
    }),
    handle: (ctx, { organizationId }) => getMailSettings(ctx, organizationId),
  }),
  operation("SetMailSettings", `PUT ${SETTINGS}`, {
    tag,
    summary: "Set an organization's own mail server",
    description:
      "It becomes the active mail provider of the organization, or replaces its settings. The server sees the codes that open accounts, so the caller must hold all permissions of the organization's users and be allowed to change users. " +
      "Codes to users who later get roles outside the organization that the caller lacks are sent by the service's own server.",
    scope: scopeOf("organization", "policy.write"),
    body: settingsBody,
    async handle(ctx, { organizationId, body }) {
      return detailsAnswer(await putMailSettings(ctx, organizationId, body));
    },
  }),
  operation("RemoveMailSettings", `DELETE ${SETTINGS}`, {
    tag,
    summary: "Remove an organization's active mail provider and use the service's instead",
    scope: scopeOf("organization", "policy.delete"),
    async handle(ctx, { organizationId }) {
      return detailsAnswer(await removeMailSettings(ctx, organizationId));
    },
  }),
];
