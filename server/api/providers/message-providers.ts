/**
 * The providers by which mails and text messages are sent, of the service and of organizations. Their settings are
 * checked where they are used (directory/provider), which gives better messages. Each owner has one active provider of
 * a channel at most. An organization without one sends as the service does; the service without one sends mails by
 * SMTP_URL and keeps text messages.
 */
import { z } from "zod";
import { emailChannel, smsChannel } from "../../directory/provider/channel";
import { smtpForm, smtpPassword } from "../../directory/provider/smtp";
import { addedTwilio, changedTwilio, twilioToken } from "../../directory/provider/twilio";
import { addedWebhook, changedWebhook } from "../../directory/provider/webhook";
import type { OriginContext } from "../../events/record";
import { receiverSchema, testProvider, testProviderSettings, trialSchema } from "../../mail/test-settings";
import { smsReceiverSchema, testSmsProvider } from "../../mail/test-sms";
import { answered } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import {
  idAt,
  idOf,
  type KindWords,
  listed,
  ofOneOrganization,
  ofService,
  one,
  type ProviderCall,
  type ProviderLevel,
  type ProviderWords,
  providerOperations,
  providerSchema,
  providersAnswer,
  unchecked,
} from "./provider-operations";

const smtp = {
  senderAddress: z.string(),
  senderName: z.string(),
  tls: z.boolean(),
  host: z.string().meta({ example: "mail.example.com:587" }),
  user: z.string(),
  replyToAddress: z.string(),
  hasPassword: z.boolean(),
  xoauth2: z
    .object({
      tokenEndpoint: z.string(),
      scopes: z.array(z.string()),
      clientCredentials: z.object({ clientId: z.string() }),
    })
    .optional(),
  dkim: z
    .object({
      domain: z.string(),
      selector: z.string(),
      recordName: z.string().meta({ description: "The name of the required DNS TXT record" }),
      recordValue: z.string().meta({ description: "The required content of the TXT record" }),
    })
    .optional(),
};
const http = z.object({ endpoint: z.string() }).optional();

const PERMISSIONS = "codes that open accounts, so the caller must hold all permissions of the recipients. ";
const PUBLIC =
  "must be on the public Internet and use https; a service on a loopback address may call its own machine.";

const webhook = (call: string): Omit<KindWords, "ids" | "noun"> => ({
  path: "http",
  added: addedWebhook,
  addedDescription:
    `The endpoint sends the messages and sees the ${PERMISSIONS}Each message is a POST request with JSON, \`${call}\`, ` +
    "signed with the returned key (Standard Webhooks). Any 2xx accepts it; after 408, 425, 429, 5xx and timeouts it is " +
    `retried with the same \`webhook-id\`. The endpoint ${PUBLIC}`,
  changed: changedWebhook,
  changedDescription: "The signing key is kept unless `expirationSigningKey` is given.",
  isSigned: true,
});

/** The addresses of the instance before there were other kinds of providers. */
const earlier = ({ level, path }: ProviderLevel, rest: string) => (level === "instance" ? [`${path}/smtp${rest}`] : []);

const EMAIL: ProviderWords = {
  channel: emailChannel,
  tag: "Mail",
  path: "email",
  ids: {
    list: ["ListInstanceEmailProviders", "ListEmailProviders"],
    get: ["GetInstanceEmailProvider", "GetEmailProvider"],
    getById: ["GetInstanceEmailProviderById", "GetEmailProviderById"],
    activate: ["ActivateInstanceEmailProvider", "ActivateEmailProvider"],
    deactivate: ["DeactivateInstanceEmailProvider", "DeactivateEmailProvider"],
    remove: ["RemoveInstanceEmailProvider", "RemoveEmailProvider"],
  },
  messages: "mails",
  provider: "mail provider",
  secret: "password",
  state: "EMAIL_PROVIDER",
  answer: providerSchema("EmailProvider", "EMAIL_PROVIDER", { smtp: z.object(smtp).optional(), http }),
  earlier,
  kinds: [
    {
      ids: {
        add: ["AddInstanceEmailProviderSMTP", "AddEmailProviderSMTP"],
        update: ["UpdateInstanceEmailProviderSMTP", "UpdateEmailProviderSMTP"],
      },
      path: "smtp",
      noun: "a mail server",
      added: smtpForm,
      addedDescription:
        "`tls`: implicit TLS (port 465, or no port), otherwise STARTTLS; without it nothing is sent. The server must be " +
        `on the public Internet, on port 25, 465, 587 or 2525. It sees the ${PERMISSIONS}The password is never returned.`,
      changed: smtpForm,
      changedDescription:
        "Without a password, the saved one is kept if host, port and user are unchanged; it is never sent to another server.",
      secret: {
        ids: ["UpdateInstanceEmailProviderSMTPPassword", "UpdateEmailProviderSMTPPassword"],
        path: "password",
        form: smtpPassword,
      },
      earlier,
    },
    {
      ...webhook(
        "{contextInfo: {eventType, provider, recipientEmailAddress}, templateData: {subject, title, preHeader, " +
          "greeting, text, url, buttonText, footerText}, args}",
      ),
      ids: {
        add: ["AddInstanceEmailProviderHTTP", "AddEmailProviderHTTP"],
        update: ["UpdateInstanceEmailProviderHTTP", "UpdateEmailProviderHTTP"],
      },
      noun: "a webhook for emails",
    },
  ],
};

const SMS: ProviderWords = {
  channel: smsChannel,
  tag: "Text messages",
  path: "sms",
  ids: {
    list: ["ListInstanceSMSProviders", "ListSMSProviders"],
    get: ["GetInstanceSMSProvider", "GetSMSProvider"],
    getById: ["GetInstanceSMSProviderById", "GetSMSProviderById"],
    activate: ["ActivateInstanceSMSProvider", "ActivateSMSProvider"],
    deactivate: ["DeactivateInstanceSMSProvider", "DeactivateSMSProvider"],
    remove: ["RemoveInstanceSMSProvider", "RemoveSMSProvider"],
  },
  messages: "text messages",
  provider: "provider of text messages",
  secret: "token or key",
  state: "SMS_PROVIDER_CONFIG",
  answer: providerSchema("SMSProvider", "SMS_PROVIDER_CONFIG", {
    twilio: z.object({ sid: z.string(), senderNumber: z.string(), baseUrl: z.string() }).optional(),
    http,
  }),
  kinds: [
    {
      ids: {
        add: ["AddInstanceSMSProviderTwilio", "AddSMSProviderTwilio"],
        update: ["UpdateInstanceSMSProviderTwilio", "UpdateSMSProviderTwilio"],
      },
      path: "twilio",
      noun: "an account at Twilio",
      purpose: " for text messages",
      added: addedTwilio,
      addedDescription: `The provider sees the ${PERMISSIONS}The token is never returned. \`baseUrl\` ${PUBLIC}`,
      changed: changedTwilio,
      changedDescription:
        "Without a token, the saved one is kept if `baseUrl` is unchanged; it is never sent to another server.",
      secret: {
        ids: ["UpdateInstanceSMSProviderTwilioToken", "UpdateSMSProviderTwilioToken"],
        path: "token",
        form: twilioToken,
      },
    },
    {
      ...webhook("{contextInfo: {eventType, provider, recipientPhoneNumber}, templateData: {text}, args}"),
      ids: {
        add: ["AddInstanceSMSProviderHTTP", "AddSMSProviderHTTP"],
        update: ["UpdateInstanceSMSProviderHTTP", "UpdateSMSProviderHTTP"],
      },
      noun: "a webhook",
      purpose: " for text messages",
    },
  ],
};

const testedBy = (what: string) =>
  z.object({ recipient: z.string(), answer: z.string().meta({ description: `The ${what}` }) });
const testedMail = testedBy("mail server's latest answer");

function requestOf(
  { origin }: OriginContext,
  { level }: ProviderLevel,
  { organizationId, body, address }: ProviderCall,
) {
  return { level, organizationId, body, address, requestId: origin.requestId };
}

const emailTests = (at: ProviderLevel): readonly Operation[] => [
  operation(idAt(at, ["TestInstanceEmailProviderSMTP", "TestEmailProviderSMTP"]), `POST ${at.path}/email/smtp/_test`, {
    effort: "call",
    aliases: earlier(at, "/_test"),
    tag: EMAIL.tag,
    summary: "Send a trial mail by settings that are not saved",
    description:
      "Sent to `receiverAddress`, or to the caller if it is left out. With the `id` of a mail server its saved password is used, if host, port and user are the same.",
    scope: at.scope("write"),
    body: unchecked(trialSchema),
    answer: testedMail,
    handle: (ctx, call) => testProviderSettings(ctx, call.caller, requestOf(ctx, at, call)),
  }),
  operation(idAt(at, ["TestInstanceEmailProvider", "TestEmailProvider"]), `POST ${at.path}/email/:id/_test`, {
    effort: "call",
    aliases: [`${at.path}/email/smtp/:id/_test`, ...earlier(at, "/:id/_test")],
    tag: EMAIL.tag,
    summary: "Send a trial mail by a saved mail provider, active or not",
    description: "Sent to `receiverAddress`, or to the caller if it is left out.",
    scope: at.scope("write"),
    body: unchecked(receiverSchema),
    bodyIsOptional: true,
    answer: testedMail,
    handle: (ctx, call) => testProvider(ctx, call.caller, { ...requestOf(ctx, at, call), providerId: idOf(call) }),
  }),
];

const smsTest = (at: ProviderLevel): Operation =>
  operation(idAt(at, ["TestInstanceSMSProvider", "TestSMSProvider"]), `POST ${at.path}/sms/:id/_test`, {
    effort: "call",
    tag: SMS.tag,
    summary: "Send a trial text message by a saved provider, active or not",
    description: "Sent to `recipientPhoneNumber`, or to the caller's verified number if it is left out.",
    scope: at.scope("write"),
    body: unchecked(smsReceiverSchema),
    bodyIsOptional: true,
    answer: testedBy("provider's answer"),
    handle: async (ctx, call) =>
      testSmsProvider(ctx, call.caller, {
        ...requestOf(ctx, at, call),
        owner: await at.owner(ctx, call),
        providerId: idOf(call),
      }),
  });

const smtpConfig: z.ZodType = providerSchema("SMTPConfig", "SMTP_CONFIG", smtp);
const SERVERS = { channel: emailChannel, kind: "smtp", state: "SMTP_CONFIG" };

/** Older operations, from before there were other kinds of providers, under their original names. */
const smtpOperations: readonly Operation[] = [
  ...(["", "ById"] as const).map((which) =>
    operation(which === "" ? "GetSMTPConfig" : "GetSMTPConfigById", `GET /admin/v1/smtp${which === "" ? "" : "/:id"}`, {
      tag: EMAIL.tag,
      summary: which === "" ? "Read the active mail server of the service" : "Read a mail server of the service",
      scope: ofService.scope("read"),
      answer: z.object({ smtpConfig }),
      handle: (ctx, call) => answered(one(ctx, ofService, call, SERVERS), (config) => ({ smtpConfig: config })),
    }),
  ),
  operation("ListSMTPConfigs", "POST /admin/v1/smtp/_search", {
    tag: EMAIL.tag,
    summary: "List the mail servers of the service, the oldest first",
    scope: ofService.scope("read"),
    body: searchBody({}),
    bodyIsOptional: true,
    answer: providersAnswer(smtpConfig),
    handle: (ctx, call) => listed(ctx, ofService, call, SERVERS),
  }),
];

export const messageProviderOperations: readonly Operation[] = [
  ...[ofService, ofOneOrganization].flatMap((at) => [...emailTests(at), ...providerOperations(at, EMAIL)]),
  ...smtpOperations,
  ...[ofService, ofOneOrganization].flatMap((at) => [smsTest(at), ...providerOperations(at, SMS)]),
];
