/**
 * The operations for the providers of any channel, at the level of the service and of organizations: adding and
 * changing providers of each kind, listing, reading, activating, deactivating and removing them.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { ofInstance, ofOrganization, type ProviderChannel, type ProviderOwner } from "../../directory/provider/channel";
import { addProvider, changeProvider } from "../../directory/provider/edit";
import type { ProviderForm } from "../../directory/provider/form";
import { listProviders, type ProviderShown, readProvider } from "../../directory/provider/provider";
import { activateProvider, deactivateProvider, removeProvider } from "../../directory/provider/set-state";
import type { OriginContext } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { answered, detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, type OperationCall, type OperationScope, operation } from "../operation/operation";
import { changed, details, timestamp } from "../operation/schemas";

export type ProviderCall = OperationCall<unknown, unknown>;

export interface ProviderLevel {
  level: ProviderOwner["level"];
  path: string;
  /** Whose providers they are, in texts. */
  of: string;
  scope(does: "read" | "write" | "delete"): OperationScope;
  owner(ctx: Context, call: ProviderCall): Promise<ProviderOwner>;
}

export const ofService: ProviderLevel = {
  level: "instance",
  path: "/admin/v1",
  of: "the service",
  scope: (does) => ({ level: "instance", permission: `iam.policy.${does}` }),
  owner: ofInstance,
};
export const ofOneOrganization: ProviderLevel = {
  level: "organization",
  path: "/management/v1",
  of: "an organization",
  scope: (does) => ({ level: "organization", permission: `policy.${does}` }),
  owner: async (_, { organizationId }) => ofOrganization(organizationId),
};

/** Returns a schema that accepts any body: settings are checked where they are used. The documentation shows them. */
export const unchecked = (schema: z.ZodType) => {
  const { type, properties } = z.toJSONSchema(schema, { io: "input" });
  return z.unknown().meta({ type, properties });
};

export const idOf = ({ parameters }: ProviderCall): string => parameters.id ?? "";

/** The ids of an operation at the level of the service and of an organization. */
export type ProviderIds = readonly [instance: string, organization: string];
export const idAt = ({ level }: ProviderLevel, [instance, organization]: ProviderIds) =>
  level === "instance" ? instance : organization;

/** The texts and forms of one kind of provider. */
export interface KindWords {
  ids: { add: ProviderIds; update: ProviderIds };
  path: string;
  noun: string;
  /** Added to the noun where a provider is added. */
  purpose?: string;
  added: ProviderForm;
  addedDescription: string;
  changed: ProviderForm;
  changedDescription: string;
  /** The secret that can be replaced alone. */
  secret?: { ids: ProviderIds; path: string; form: ProviderForm };
  /** Whether its responses can have a signing key. */
  isSigned?: true;
  /** The addresses before there were other kinds, by the rest of the path. */
  earlier?(at: ProviderLevel, rest: string): string[];
}

/** The texts, schemas and kinds of one channel. */
export interface ProviderWords {
  channel: ProviderChannel;
  tag: string;
  /** Below the level's path. */
  path: string;
  ids: Readonly<Record<"list" | "get" | "getById" | "activate" | "deactivate" | "remove", ProviderIds>>;
  /** The messages that are sent. */
  messages: string;
  provider: string;
  /** The secret that is removed together with a provider. */
  secret: string;
  /** The first part of the values of `state`. */
  state: string;
  answer: z.ZodType;
  kinds: readonly KindWords[];
  earlier?: KindWords["earlier"];
}

type Shows = Pick<ProviderWords, "channel" | "state"> & {
  /** The only kind that is shown, without a member of its own; undefined for all kinds. */
  kind?: string;
};

/** Returns the schema of a provider in responses. */
export const providerSchema = <Shape extends z.ZodRawShape>(id: string, state: string, settings: Shape) =>
  z
    .object({
      id: z.string(),
      details: z.object({ resourceOwner: z.string() }),
      state: z.enum([`${state}_ACTIVE`, `${state}_INACTIVE`]),
      description: z.string(),
      ...settings,
    })
    .meta({ id });

function toProvider({ ownerId }: ProviderOwner, shown: ProviderShown, { state, kind }: Shows) {
  const { id, description, isActive } = shown;
  const settings = kind === undefined ? { [shown.kind]: shown.settings } : shown.settings;
  const details = { resourceOwner: ownerId };
  return { id, details, state: `${state}_${isActive ? "ACTIVE" : "INACTIVE"}`, description, ...settings };
}

const found = { totalResult: z.string().meta({ description: "uint64 as a string" }), viewTimestamp: timestamp };
export const providersAnswer = <Item extends z.ZodType>(item: Item) =>
  z.object({ details: z.object(found), result: z.array(item) });

export async function listed(ctx: Context, at: ProviderLevel, call: ProviderCall, shows: Shows) {
  const owner = await at.owner(ctx, call);
  const providers = await listProviders(ctx, shows.channel, owner, shows.kind);
  const result = providers.map((shown) => toProvider(owner, shown, shows));
  const viewTimestamp = new Date(ctx.clock()).toISOString();
  return { details: { totalResult: String(result.length), viewTimestamp }, result };
}

export async function one(ctx: Context, at: ProviderLevel, call: ProviderCall, shows: Shows) {
  const owner = await at.owner(ctx, call);
  const shown = await readProvider(ctx, shows.channel, owner, { id: call.parameters.id, kind: shows.kind });
  return isApiError(shown) ? shown : toProvider(owner, shown, shows);
}

const signingKey = z.string().meta({ description: "`whsec_` and base64; shown only once" });
const changedWithKey = z.object({ details, signingKey: signingKey.optional() });

function kindOperations(at: ProviderLevel, words: ProviderWords, kind: KindWords): readonly Operation[] {
  const { channel, tag } = words;
  const { ids, isSigned, secret, earlier = () => [] } = kind;
  const path = `${at.path}/${words.path}/${kind.path}`;
  const common = { tag, scope: at.scope("write") };
  const change = (form: ProviderForm) => async (ctx: OriginContext, call: ProviderCall) =>
    changeProvider(ctx, { channel, owner: await at.owner(ctx, call) }, idOf(call), form, call.body);
  return [
    operation(idAt(at, ids.add), `POST ${path}`, {
      ...common,
      aliases: earlier(at, ""),
      summary: `Add ${kind.noun}${kind.purpose ?? ""} of ${at.of}, which is used after it is activated`,
      description: kind.addedDescription,
      body: unchecked(kind.added.schema),
      answer: z.object({ id: z.string(), details, ...(isSigned && { signingKey }) }),
      handle: async (ctx, call) =>
        addProvider(ctx, { channel, owner: await at.owner(ctx, call) }, kind.added, call.body),
    }),
    operation(idAt(at, ids.update), `PUT ${path}/:id`, {
      ...common,
      aliases: earlier(at, "/:id"),
      summary: `Replace the settings of ${kind.noun} of ${at.of}`,
      description: kind.changedDescription,
      body: unchecked(kind.changed.schema),
      answer: isSigned ? changedWithKey : changed,
      handle: change(kind.changed),
    }),
    ...(secret
      ? [
          operation(idAt(at, secret.ids), `PUT ${path}/:id/${secret.path}`, {
            ...common,
            aliases: earlier(at, `/:id/${secret.path}`),
            summary: `Replace the ${secret.path} of ${kind.noun} of ${at.of}`,
            body: unchecked(secret.form.schema),
            handle: change(secret.form),
          }),
        ]
      : []),
  ];
}

export function providerOperations(at: ProviderLevel, words: ProviderWords): readonly Operation[] {
  const { of, scope } = at;
  const { channel, ids, tag, messages, provider, answer, earlier = () => [] } = words;
  const path = `${at.path}/${words.path}`;
  const change = (how: typeof activateProvider) => async (ctx: OriginContext, call: ProviderCall) =>
    detailsAnswer(await how(ctx, { channel, owner: await at.owner(ctx, call) }, idOf(call)));
  return [
    ...words.kinds.flatMap((kind) => kindOperations(at, words, kind)),
    operation(idAt(at, ids.list), `POST ${path}/_search`, {
      tag,
      summary: `List the ${provider}s of ${of}, the oldest first`,
      scope: scope("read"),
      body: searchBody({}),
      bodyIsOptional: true,
      answer: providersAnswer(answer),
      handle: (ctx, call) => listed(ctx, at, call, words),
    }),
    ...(["", "ById"] as const).map((which) =>
      operation(idAt(at, which === "" ? ids.get : ids.getById), `GET ${path}${which === "" ? "" : "/:id"}`, {
        tag,
        summary: which === "" ? `Read the active ${provider} of ${of}` : `Read a ${provider} of ${of}`,
        scope: scope("read"),
        answer: z.object({ config: answer }),
        handle: (ctx, call) => answered(one(ctx, at, call, words), (config) => ({ config })),
      }),
    ),
    operation(idAt(at, ids.activate), `POST ${path}/:id/_activate`, {
      aliases: earlier(at, "/:id/_activate"),
      tag,
      summary: `Send the ${messages} of ${of} by this provider instead of the previous one`,
      scope: scope("write"),
      handle: change(activateProvider),
    }),
    operation(idAt(at, ids.deactivate), `POST ${path}/:id/_deactivate`, {
      aliases: earlier(at, "/:id/_deactivate"),
      tag,
      summary: `Stop sending the ${messages} of ${of} by this provider`,
      scope: scope("write"),
      handle: change(deactivateProvider),
    }),
    operation(idAt(at, ids.remove), `DELETE ${path}/:id`, {
      aliases: earlier(at, "/:id"),
      tag,
      summary: `Remove a ${provider} of ${of} with its ${words.secret}, even if it is active`,
      scope: scope("delete"),
      handle: change(removeProvider),
    }),
  ];
}
