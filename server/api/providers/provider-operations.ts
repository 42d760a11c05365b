/**
 * What every channel's providers have in common as operations, at the level of the service and of organizations:
 * listing, reading, activating, deactivating and removing them.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { ofInstance, ofOrganization, type ProviderChannel, type ProviderOwner } from "../../directory/provider/channel";
import { activateProvider, deactivateProvider, removeProvider } from "../../directory/provider/set-state";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, type OperationCall, type OperationScope, operation } from "../operation/operation";
import { changed, timestamp } from "../operation/schemas";

type Does = "read" | "write" | "delete";
export type ProviderCall = OperationCall<unknown, unknown>;

export interface ProviderLevel {
  level: "instance" | "organization";
  /** Part of the names of its operations. */
  name: string;
  path: string;
  /** Whose. */
  of: string;
  scope(does: Does): OperationScope;
  owner(ctx: Context, call: ProviderCall): Promise<ProviderOwner>;
}

export const ofService: ProviderLevel = {
  level: "instance",
  name: "Instance",
  path: "/admin/v1",
  of: "the service",
  scope: (does) => ({ level: "instance", permission: `iam.policy.${does}` }),
  owner: ofInstance,
};
export const ofOneOrganization: ProviderLevel = {
  level: "organization",
  name: "",
  path: "/management/v1",
  of: "an organization",
  scope: (does) => ({ level: "organization", permission: `policy.${does}` }),
  owner: async (_, { organizationId }) => ofOrganization(organizationId),
};

/** Checked where it is used; the documentation shows the members. */
export const unchecked = (schema: z.ZodType) => {
  const { type, properties } = z.toJSONSchema(schema, { io: "input" });
  return z.unknown().meta({ type, properties });
};

export const idOf = ({ parameters }: ProviderCall): string => parameters.id ?? "";

/** What the operations of one channel say and show. */
export interface ProviderWords<Shown> {
  tag: string;
  /** Below the level's path. */
  path: string;
  /** The plural in operation ids, such as `ListEmailProviders`. */
  noun: string;
  /** What is sent: `mails`. */
  messages: string;
  /** What sends it: `mail provider`. */
  provider: string;
  /** What is removed with it. */
  secret: string;
  answer: z.ZodType;
  show(owner: ProviderOwner, shown: Shown): object;
  list(ctx: Context, owner: ProviderOwner): Promise<Shown[]>;
  /** @param id undefined: the active one */
  read(ctx: Context, owner: ProviderOwner, id?: string): Promise<Shown | ApiError>;
}

const found = { totalResult: z.string().meta({ description: "uint64 as a string" }), viewTimestamp: timestamp };
export const providersAnswer = <Item extends z.ZodType>(item: Item) =>
  z.object({ details: z.object(found), result: z.array(item) });

export async function listed<Shown, Item extends object>(
  ctx: Context,
  at: ProviderLevel,
  call: ProviderCall,
  { list, show }: Pick<ProviderWords<Shown>, "list"> & { show(owner: ProviderOwner, shown: Shown): Item },
) {
  const owner = await at.owner(ctx, call);
  const result = (await list(ctx, owner)).map((shown) => show(owner, shown));
  const viewTimestamp = new Date(ctx.clock()).toISOString();
  return { details: { totalResult: String(result.length), viewTimestamp }, result };
}

export async function one<Shown, Item extends object>(
  ctx: Context,
  at: ProviderLevel,
  call: ProviderCall,
  { read, show }: Pick<ProviderWords<Shown>, "read"> & { show(owner: ProviderOwner, shown: Shown): Item },
) {
  const owner = await at.owner(ctx, call);
  const shown = await read(ctx, owner, call.parameters.id);
  return isApiError(shown) ? shown : show(owner, shown);
}

/** @param earlier the addresses that an operation had before, by what comes after the path */
export function providerOperations<Channel extends ProviderChannel, Shown>(
  at: ProviderLevel,
  channel: Channel,
  words: ProviderWords<Shown>,
  earlier: (rest: string) => string[] = () => [],
): readonly Operation[] {
  const { name, of, scope } = at;
  const { tag, noun, messages, provider, answer } = words;
  const path = `${at.path}/${words.path}`;
  const change = (how: typeof activateProvider) => async (ctx: Context, call: ProviderCall & { origin: Origin }) =>
    detailsAnswer(await how(ctx, channel, await at.owner(ctx, call), idOf(call), call.origin));
  return [
    operation({
      id: `List${name}${noun}s`,
      method: "POST",
      path: `${path}/_search`,
      tag,
      summary: `List the ${provider}s of ${of}, the oldest first`,
      scope: scope("read"),
      body: searchBody({}),
      bodyIsOptional: true,
      answer: providersAnswer(answer),
      handle: (ctx, call) => listed(ctx, at, call, words),
    }),
    ...(["", "ById"] as const).map((which) =>
      operation({
        id: `Get${name}${noun}${which}`,
        method: "GET",
        path: `${path}${which === "" ? "" : "/:id"}`,
        tag,
        summary: which === "" ? `Read the active ${provider} of ${of}` : `Read a ${provider} of ${of}`,
        scope: scope("read"),
        answer: z.object({ config: answer }),
        async handle(ctx, call) {
          const config = await one(ctx, at, call, words);
          return isApiError(config) ? config : { config };
        },
      }),
    ),
    operation({
      id: `Activate${name}${noun}`,
      method: "POST",
      path: `${path}/:id/_activate`,
      aliases: earlier("/:id/_activate"),
      tag,
      summary: `Send the ${messages} of ${of} by this provider instead of the previous one`,
      scope: scope("write"),
      answer: changed,
      handle: change(activateProvider),
    }),
    operation({
      id: `Deactivate${name}${noun}`,
      method: "POST",
      path: `${path}/:id/_deactivate`,
      aliases: earlier("/:id/_deactivate"),
      tag,
      summary: `Stop sending the ${messages} of ${of} by this provider`,
      scope: scope("write"),
      answer: changed,
      handle: change(deactivateProvider),
    }),
    operation({
      id: `Remove${name}${noun}`,
      method: "DELETE",
      path: `${path}/:id`,
      aliases: earlier("/:id"),
      tag,
      summary: `Remove a ${provider} of ${of} with its ${words.secret}, even if it is active`,
      scope: scope("delete"),
      answer: changed,
      handle: change(removeProvider),
    }),
  ];
}
