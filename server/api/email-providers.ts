/**
 * The providers by which mails are sent, of the service and of organizations. They
 * are checked where they are used (directory/email-provider), which gives better messages. Each owner has one active
 * provider at most; without one the service sends by SMTP_URL, an organization as the service does.
 */
import { z } from "zod";
import type { Context } from "../context";
import { addSmtpProvider } from "../directory/email-provider/add";
import { smtpProviderSchema } from "../directory/email-provider/address";
import { changeProviderPassword, changeSmtpProvider, passwordSchema } from "../directory/email-provider/change";
import { listProviders, readProvider } from "../directory/email-provider/list";
import {
  ofInstance,
  ofOrganization,
  type ProviderOwner,
  type ProviderShown,
} from "../directory/email-provider/provider";
import { activateProvider, deactivateProvider, removeProvider } from "../directory/email-provider/set-state";
import { receiverSchema, testProvider, testProviderSettings, trialSchema } from "../mail/test-settings";
import { isApiError } from "../protocol/api-error";
import { detailsAnswer } from "./answers";
import { provider, smtpConfig, toProvider, toSmtpConfig } from "./email-provider-answers";
import { searchBody } from "./lists";
import { type Operation, type OperationCall, operation, type Scope } from "./operation";
import { changed, details, timestamp } from "./schemas";

type Does = "read" | "write" | "delete";
type Call = OperationCall<unknown, unknown>;

interface Level {
  level: "instance" | "organization";
  /** Part of the names of its operations. */
  name: string;
  path: string;
  /** Whose. */
  of: string;
  scope(does: Does): Scope;
  owner(ctx: Context, call: Call): Promise<ProviderOwner>;
}

const instance: Level = {
  level: "instance",
  name: "Instance",
  path: "/admin/v1",
  of: "the service",
  scope: (does) => ({ level: "instance", permission: `iam.policy.${does}` }),
  owner: ofInstance,
};
const organization: Level = {
  level: "organization",
  name: "",
  path: "/management/v1",
  of: "an organization",
  scope: (does) => ({ level: "organization", permission: `policy.${does}` }),
  owner: async (_, { organizationId }) => ofOrganization(organizationId),
};

/** Checked where it is used; the documentation shows the members. */
const unchecked = (schema: z.ZodType) => {
  const { type, properties } = z.toJSONSchema(schema, { io: "input" });
  return z.unknown().meta({ type, properties });
};
const settingsBody = unchecked(smtpProviderSchema);
const tested = z.object({
  recipient: z.string(),
  answer: z.string().meta({ description: "The mail server's latest answer" }),
});
const found = { totalResult: z.string().meta({ description: "uint64 as a string" }), viewTimestamp: timestamp };

const tag = "Mail";
const idOf = ({ parameters }: Call): string => parameters.id ?? "";

function requestOf(level: Level["level"], { organizationId, body, address, origin }: Call) {
  return { level, organizationId, body, address, requestId: origin.requestId };
}

async function listed<Item>(
  ctx: Context,
  level: Level,
  call: Call,
  item: (owner: ProviderOwner, shown: ProviderShown) => Item,
) {
  const owner = await level.owner(ctx, call);
  const result = (await listProviders(ctx, owner)).map((shown) => item(owner, shown));
  return {
    details: { totalResult: String(result.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
    result,
  };
}

async function one<Item>(
  ctx: Context,
  level: Level,
  call: Call,
  item: (owner: ProviderOwner, shown: ProviderShown) => Item,
) {
  const owner = await level.owner(ctx, call);
  const shown = await readProvider(ctx, owner, call.parameters.id);
  return isApiError(shown) ? shown : item(owner, shown);
}

function emailOperations(at: Level): readonly Operation[] {
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
      summary: `Add a mail server of ${of}, which is used once it is activated`,
      description:
        "`tls`: encrypted from the first byte (port 465, or none), else by STARTTLS, without which nothing is sent. The " +
        "server must be in the public Internet, on port 25, 465, 587 or 2525. It sees the codes that open accounts: it is " +
        "set by those whose permissions cover everybody's who gets them. The password is never shown again.",
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
        "Without a password the saved one stays if host, port and user do; it is never sent to another server.",
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
      method: "POST",
      path: `${path}/email/smtp/_test`,
      aliases: earlier("/_test"),
      tag,
      summary: "Send a trial mail by settings that are not saved",
      description:
        "To `receiverAddress`, else to oneself. With the `id` of a mail server its saved password is used, if host, port and user are the same.",
      scope: scope("write"),
      body: unchecked(trialSchema),
      answer: tested,
      handle: (ctx, call) => testProviderSettings(ctx, call.caller, requestOf(level, call)),
    }),
    operation({
      id: `Test${name}EmailProvider`,
      method: "POST",
      path: `${path}/email/:id/_test`,
      aliases: [`${path}/email/smtp/:id/_test`, ...earlier("/:id/_test")],
      tag,
      summary: "Send a trial mail by a saved mail provider, active or not",
      description: "To `receiverAddress`, else to oneself.",
      scope: scope("write"),
      body: unchecked(receiverSchema),
      bodyIsOptional: true,
      answer: tested,
      handle: (ctx, call) => testProvider(ctx, call.caller, { ...requestOf(level, call), providerId: idOf(call) }),
    }),
    operation({
      id: `List${name}EmailProviders`,
      method: "POST",
      path: `${path}/email/_search`,
      tag,
      summary: `List the mail providers of ${of}, the oldest first`,
      scope: scope("read"),
      body: searchBody({}),
      bodyIsOptional: true,
      answer: z.object({ details: z.object(found), result: z.array(provider) }),
      handle: (ctx, call) => listed(ctx, at, call, toProvider),
    }),
    ...(["", "ById"] as const).map((which) =>
      operation({
        id: `Get${name}EmailProvider${which}`,
        method: "GET",
        path: `${path}/email${which === "" ? "" : "/:id"}`,
        tag,
        summary: which === "" ? `Read the active mail provider of ${of}` : `Read a mail provider of ${of}`,
        scope: scope("read"),
        answer: z.object({ config: provider }),
        handle: (ctx, call) => one(ctx, at, call, (...about) => ({ config: toProvider(...about) })),
      }),
    ),
    operation({
      id: `Activate${name}EmailProvider`,
      method: "POST",
      path: `${path}/email/:id/_activate`,
      aliases: earlier("/:id/_activate"),
      tag,
      summary: `Send the mails of ${of} by this provider, and no longer by the one before`,
      scope: scope("write"),
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await activateProvider(ctx, await owner(ctx, call), idOf(call), call.origin)),
    }),
    operation({
      id: `Deactivate${name}EmailProvider`,
      method: "POST",
      path: `${path}/email/:id/_deactivate`,
      aliases: earlier("/:id/_deactivate"),
      tag,
      summary: `Send the mails of ${of} no longer by this provider`,
      scope: scope("write"),
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await deactivateProvider(ctx, await owner(ctx, call), idOf(call), call.origin)),
    }),
    operation({
      id: `Remove${name}EmailProvider`,
      method: "DELETE",
      path: `${path}/email/:id`,
      aliases: earlier("/:id"),
      tag,
      summary: `Remove a mail provider of ${of} with its password, even if it is active`,
      scope: scope("delete"),
      answer: changed,
      handle: async (ctx, call) =>
        detailsAnswer(await removeProvider(ctx, await owner(ctx, call), idOf(call), call.origin)),
    }),
  ];
}

/** As they were asked for before there were other kinds of providers: the same, under other names. */
const smtpOperations: readonly Operation[] = [
  ...(["", "ById"] as const).map((which) =>
    operation({
      id: `GetSMTPConfig${which}`,
      method: "GET",
      path: `/admin/v1/smtp${which === "" ? "" : "/:id"}`,
      tag,
      summary: which === "" ? "Read the active mail server of the service" : "Read a mail server of the service",
      scope: instance.scope("read"),
      answer: z.object({ smtpConfig }),
      handle: (ctx, call) => one(ctx, instance, call, (...about) => ({ smtpConfig: toSmtpConfig(...about) })),
    }),
  ),
  operation({
    id: "ListSMTPConfigs",
    method: "POST",
    path: "/admin/v1/smtp/_search",
    tag,
    summary: "List the mail servers of the service, the oldest first",
    scope: instance.scope("read"),
    body: searchBody({}),
    bodyIsOptional: true,
    answer: z.object({ details: z.object(found), result: z.array(smtpConfig) }),
    handle: (ctx, call) => listed(ctx, instance, call, toSmtpConfig),
  }),
];

export const emailProviderOperations: readonly Operation[] = [
  ...emailOperations(instance),
  ...emailOperations(organization),
  ...smtpOperations,
];
