/**
 * The providers by which mails are sent, of the service and of organizations. They
 * are checked where they are used (directory/email-provider), which gives better messages. Each owner has one active
 * provider at most; without one the service sends by SMTP_URL, an organization as the service does.
 */
import { z } from "zod";
import { addSmtpProvider } from "../../directory/email-provider/add";
import { smtpProviderSchema } from "../../directory/email-provider/address";
import { changeProviderPassword, changeSmtpProvider, passwordSchema } from "../../directory/email-provider/change";
import { listProviders, listServers, readProvider, readServer } from "../../directory/email-provider/list";
import { emailChannel, type ProviderShown } from "../../directory/email-provider/provider";
import { addMailWebhook, changeMailWebhook } from "../../directory/email-provider/webhook";
import { addedWebhookSchema, changedWebhookSchema } from "../../directory/provider/webhook";
import { receiverSchema, testProvider, testProviderSettings, trialSchema } from "../../mail/test-settings";
import { isApiError } from "../../protocol/api-error";
import { detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { changed, details } from "../operation/schemas";
import { provider, smtpConfig, toProvider, toSmtpConfig } from "./email-provider-answers";
import {
  idOf,
  listed,
  ofOneOrganization,
  ofService,
  one,
  type ProviderCall,
  type ProviderLevel,
  type ProviderWords,
  providerOperations,
  providersAnswer,
  unchecked,
} from "./provider-operations";

const settingsBody = unchecked(smtpProviderSchema);
const tested = z.object({
  recipient: z.string(),
  answer: z.string().meta({ description: "The mail server's latest answer" }),
});

const signingKey = z.string().meta({ description: "`whsec_` and base64; shown only once" });

const tag = "Mail";

function requestOf(level: ProviderLevel["level"], { organizationId, body, address, origin }: ProviderCall) {
  return { level, organizationId, body, address, requestId: origin.requestId };
}

const words: ProviderWords<ProviderShown> = {
  tag,
  path: "email",
  noun: "EmailProvider",
  messages: "mails",
  provider: "mail provider",
  secret: "password",
  answer: provider,
  show: toProvider,
  list: listProviders,
  read: readProvider,
};

function emailOperations(at: ProviderLevel): readonly Operation[] {
  const { level, name, path, of, scope, owner } = at;
  /** The addresses of the instance before there were other kinds of providers. */
  const earlier = (rest: string) => (level === "instance" ? [`${path}/smtp${rest}`] : []);
  return [
    operation({
      id: `Add${name}EmailProviderSMTP`,
      method: "POST",
      path: `${path}/email/smtp`,
      aliases: earlier(""),
      tag,
      summary: `Add a mail server of ${of}, which is used after it is activated`,
      description:
        "`tls`: implicit TLS (port 465, or no port), otherwise STARTTLS; without it nothing is sent. The " +
        "server must be on the public Internet, on port 25, 465, 587 or 2525. It sees the codes that open accounts, so the " +
        "caller must hold all permissions of the recipients. The password is never returned.",
      scope: scope("write"),
      body: settingsBody,
      answer: z.object({ id: z.string(), details }),
      handle: async (ctx, call) => addSmtpProvider(ctx, await owner(ctx, call), call.body, call.origin),
    }),
    operation({
      id: `Update${name}EmailProviderSMTP`,
      method: "PUT",
      path: `${path}/email/smtp/:id`,
      aliases: earlier("/:id"),
      tag,
      summary: `Replace the settings of a mail server of ${of}`,
      description:
        "Without a password, the saved one is kept if host, port and user are unchanged; it is never sent to another server.",
      scope: scope("write"),
      body: settingsBody,
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await changeSmtpProvider(ctx, await owner(ctx, call), idOf(call), call.body, call.origin)),
    }),
    operation({
      id: `Update${name}EmailProviderSMTPPassword`,
      method: "PUT",
      path: `${path}/email/smtp/:id/password`,
      aliases: earlier("/:id/password"),
      tag,
      summary: `Replace the password for a mail server of ${of}`,
      scope: scope("write"),
      body: unchecked(passwordSchema),
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await changeProviderPassword(ctx, await owner(ctx, call), idOf(call), call.body, call.origin)),
    }),
    operation({
      id: `Test${name}EmailProviderSMTP`,
      effort: "call",
      method: "POST",
      path: `${path}/email/smtp/_test`,
      aliases: earlier("/_test"),
      tag,
      summary: "Send a trial mail by settings that are not saved",
      description:
        "Sent to `receiverAddress`, or to the caller if it is left out. With the `id` of a mail server its saved password is used, if host, port and user are the same.",
      scope: scope("write"),
      body: unchecked(trialSchema),
      answer: tested,
      handle: (ctx, call) => testProviderSettings(ctx, call.caller, requestOf(level, call)),
    }),
    operation({
      id: `Test${name}EmailProvider`,
      effort: "call",
      method: "POST",
      path: `${path}/email/:id/_test`,
      aliases: [`${path}/email/smtp/:id/_test`, ...earlier("/:id/_test")],
      tag,
      summary: "Send a trial mail by a saved mail provider, active or not",
      description: "Sent to `receiverAddress`, or to the caller if it is left out.",
      scope: scope("write"),
      body: unchecked(receiverSchema),
      bodyIsOptional: true,
      answer: tested,
      handle: (ctx, call) => testProvider(ctx, call.caller, { ...requestOf(level, call), providerId: idOf(call) }),
    }),
    operation({
      id: `Add${name}EmailProviderHTTP`,
      method: "POST",
      path: `${path}/email/http`,
      tag,
      summary: `Add a webhook for emails of ${of}, which is used after it is activated`,
      description:
        "The endpoint sends the emails and sees the codes that open accounts, so the caller must hold all permissions of the " +
        "recipients. Each email is a POST request with JSON, `{contextInfo: {eventType, provider, " +
        "recipientEmailAddress}, templateData: {subject, title, preHeader, greeting, text, url, buttonText, footerText}, " +
        "args}`, signed with the returned key (Standard Webhooks). Any 2xx accepts it; after 408, 425, 429, 5xx and " +
        "timeouts it is retried with the same `webhook-id`. The endpoint must be on the public Internet and use https; a " +
        "service on a loopback address may call its own machine.",
      scope: scope("write"),
      body: unchecked(addedWebhookSchema),
      answer: z.object({ id: z.string(), details, signingKey }),
      handle: async (ctx, call) => addMailWebhook(ctx, await owner(ctx, call), call.body, call.origin),
    }),
    operation({
      id: `Update${name}EmailProviderHTTP`,
      method: "PUT",
      path: `${path}/email/http/:id`,
      tag,
      summary: `Replace the settings of a webhook for emails of ${of}`,
      description: "The signing key is kept unless `expirationSigningKey` is given.",
      scope: scope("write"),
      body: unchecked(changedWebhookSchema),
      answer: z.object({ details, signingKey: signingKey.optional() }),
      handle: async (ctx, call) => changeMailWebhook(ctx, await owner(ctx, call), idOf(call), call.body, call.origin),
    }),
    ...providerOperations(at, emailChannel, words, earlier),
  ];
}

/** Mail servers alone. */
const serverWords = {
  ...words,
  answer: smtpConfig,
  show: toSmtpConfig,
  list: listServers,
  read: readServer,
};

/** Older operations, from before there were other kinds of providers, under their original names. */
const smtpOperations: readonly Operation[] = [
  ...(["", "ById"] as const).map((which) =>
    operation({
      id: `GetSMTPConfig${which}`,
      method: "GET",
      path: `/admin/v1/smtp${which === "" ? "" : "/:id"}`,
      tag,
      summary: which === "" ? "Read the active mail server of the service" : "Read a mail server of the service",
      scope: ofService.scope("read"),
      answer: z.object({ smtpConfig }),
      async handle(ctx, call) {
        const config = await one(ctx, ofService, call, serverWords);
        return isApiError(config) ? config : { smtpConfig: config };
      },
    }),
  ),
  operation({
    id: "ListSMTPConfigs",
    method: "POST",
    path: "/admin/v1/smtp/_search",
    tag,
    summary: "List the mail servers of the service, the oldest first",
    scope: ofService.scope("read"),
    body: searchBody({}),
    bodyIsOptional: true,
    answer: providersAnswer(smtpConfig),
    handle: (ctx, call) => listed(ctx, ofService, call, serverWords),
  }),
];

export const emailProviderOperations: readonly Operation[] = [
  ...emailOperations(ofService),
  ...emailOperations(ofOneOrganization),
  ...smtpOperations,
];
