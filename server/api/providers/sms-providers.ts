/**
 * The providers by which text messages are sent, of the service and of organizations. They are checked where they are
 * used (directory/sms-provider), which gives better messages. Each owner has one active provider at most; an
 * organization without one sends as the service does, and without any the messages are kept.
 */
import { z } from "zod";
import type { ProviderOwner } from "../../directory/provider/channel";
import { addedWebhookSchema, changedWebhookSchema } from "../../directory/provider/webhook";
import { addTwilioProvider, addWebhookProvider } from "../../directory/sms-provider/add";
import { addedTwilioSchema, changedTwilioSchema, tokenSchema } from "../../directory/sms-provider/address";
import { changeTwilioProvider, changeTwilioToken, changeWebhookProvider } from "../../directory/sms-provider/change";
import { listSmsProviders, readSmsProvider } from "../../directory/sms-provider/list";
import { type SmsProviderShown, smsChannel } from "../../directory/sms-provider/provider";
import { smsReceiverSchema, testSmsProvider } from "../../mail/test-sms";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { changed, details } from "../operation/schemas";
import {
  idOf,
  ofOneOrganization,
  ofService,
  type ProviderLevel,
  type ProviderWords,
  providerOperations,
  unchecked,
} from "./provider-operations";

const tag = "Text messages";

const provider = z
  .object({
    id: z.string(),
    details: z.object({ resourceOwner: z.string() }),
    state: z.enum(["SMS_PROVIDER_CONFIG_ACTIVE", "SMS_PROVIDER_CONFIG_INACTIVE"]),
    description: z.string(),
    twilio: z.object({ sid: z.string(), senderNumber: z.string(), baseUrl: z.string() }).optional(),
    http: z.object({ endpoint: z.string() }).optional(),
  })
  .meta({ id: "SMSProvider" });

/** Without the key that sealed it, nothing but the sender can be shown. */
function toProvider({ ownerId }: ProviderOwner, shown: SmsProviderShown): z.input<typeof provider> {
  const { id, description, isActive, kind, sender: senderNumber, address } = shown;
  const state = isActive ? "SMS_PROVIDER_CONFIG_ACTIVE" : "SMS_PROVIDER_CONFIG_INACTIVE";
  const common = { id, details: { resourceOwner: ownerId }, state, description } as const;
  if (kind === "http") return { ...common, http: { endpoint: address?.kind === "http" ? address.endpoint : "" } };
  const { sid, baseUrl } = address?.kind === "twilio" ? address : { sid: "", baseUrl: "" };
  return { ...common, twilio: { sid, senderNumber, baseUrl } };
}

const words: ProviderWords<SmsProviderShown> = {
  tag,
  path: "sms",
  noun: "SMSProvider",
  messages: "text messages",
  provider: "provider of text messages",
  secret: "token or key",
  answer: provider,
  show: toProvider,
  list: listSmsProviders,
  read: readSmsProvider,
};

const SEES_CODES =
  "The provider sees the codes that open accounts, so the caller must hold all permissions of the recipients. ";
const PUBLIC =
  "must be on the public Internet and use https; a service on a loopback address may call its own machine.";
const signingKey = z.string().meta({ description: "`whsec_` and base64; shown only once" });

function smsOperations(at: ProviderLevel): readonly Operation[] {
  const { name, of, scope, owner } = at;
  const path = `${at.path}/sms`;
  return [
    operation({
      id: `Add${name}SMSProviderTwilio`,
      method: "POST",
      path: `${path}/twilio`,
      tag,
      summary: `Add an account at Twilio for text messages of ${of}, which is used after it is activated`,
      description: `${SEES_CODES}The token is never returned. \`baseUrl\` ${PUBLIC}`,
      scope: scope("write"),
      body: unchecked(addedTwilioSchema),
      answer: z.object({ id: z.string(), details }),
      handle: async (ctx, call) => addTwilioProvider(ctx, await owner(ctx, call), call.body, call.origin),
    }),
    operation({
      id: `Update${name}SMSProviderTwilio`,
      method: "PUT",
      path: `${path}/twilio/:id`,
      tag,
      summary: `Replace the settings of an account at Twilio of ${of}`,
      description:
        "Without a token, the saved one is kept if `baseUrl` is unchanged; it is never sent to another server.",
      scope: scope("write"),
      body: unchecked(changedTwilioSchema),
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await changeTwilioProvider(ctx, await owner(ctx, call), idOf(call), call.body, call.origin)),
    }),
    operation({
      id: `Update${name}SMSProviderTwilioToken`,
      method: "PUT",
      path: `${path}/twilio/:id/token`,
      tag,
      summary: `Replace the token of an account at Twilio of ${of}`,
      scope: scope("write"),
      body: unchecked(tokenSchema),
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await changeTwilioToken(ctx, await owner(ctx, call), idOf(call), call.body, call.origin)),
    }),
    operation({
      id: `Add${name}SMSProviderHTTP`,
      method: "POST",
      path: `${path}/http`,
      tag,
      summary: `Add a webhook for text messages of ${of}, which is used after it is activated`,
      description:
        `${SEES_CODES}Each message is a POST request with JSON, \`{contextInfo: {eventType, provider, recipientPhoneNumber}, templateData: {text}, args}\`, ` +
        "signed with the returned key (Standard Webhooks). Any 2xx accepts it; after 408, 425, 429, 5xx and timeouts it is retried " +
        `with the same \`webhook-id\`. The endpoint ${PUBLIC}`,
      scope: scope("write"),
      body: unchecked(addedWebhookSchema),
      answer: z.object({ id: z.string(), details, signingKey }),
      handle: async (ctx, call) => addWebhookProvider(ctx, await owner(ctx, call), call.body, call.origin),
    }),
    operation({
      id: `Update${name}SMSProviderHTTP`,
      method: "PUT",
      path: `${path}/http/:id`,
      tag,
      summary: `Replace the settings of a webhook of ${of}`,
      description: "The signing key is kept unless `expirationSigningKey` is given.",
      scope: scope("write"),
      body: unchecked(changedWebhookSchema),
      answer: z.object({ details, signingKey: signingKey.optional() }),
      handle: async (ctx, call) =>
        changeWebhookProvider(ctx, await owner(ctx, call), idOf(call), call.body, call.origin),
    }),
    operation({
      id: `Test${name}SMSProvider`,
      effort: "call",
      method: "POST",
      path: `${path}/:id/_test`,
      tag,
      summary: "Send a trial text message by a saved provider, active or not",
      description: "Sent to `recipientPhoneNumber`, or to the caller's verified number if it is left out.",
      scope: scope("write"),
      body: unchecked(smsReceiverSchema),
      bodyIsOptional: true,
      answer: z.object({ recipient: z.string(), answer: z.string().meta({ description: "The provider's answer" }) }),
      async handle(ctx, call) {
        const { body, address, origin } = call;
        const { requestId } = origin;
        const request = { owner: await owner(ctx, call), providerId: idOf(call), body, address, requestId };
        return testSmsProvider(ctx, call.caller, request);
      },
    }),
    ...providerOperations(at, smsChannel, words),
  ];
}

export const smsProviderOperations: readonly Operation[] = [
  ...smsOperations(ofService),
  ...smsOperations(ofOneOrganization),
];
