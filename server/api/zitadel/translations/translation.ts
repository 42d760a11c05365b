/**
 * How the messages of newer services, which have other shapes than the JSON of the operations behind them, are
 * translated to it. Nothing is decided here: what a request depends on is read by operations, as the caller.
 */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Context } from "../../../context";
import { findOwner, type OwnedKind } from "../../../directory/owner";
import { appliedTo } from "../../operation/filters";
import type { OperationAddress } from "../../operation/operation";

/**
 * What a message names: the organization (`organizationId`), or the one that owns the named object (`ownerId`), and
 * members of the path.
 */
export type Located = Readonly<Record<string, string | undefined>>;

/** What owns the object, and the members of the path that are known by it. */
export async function located(ctx: Context, kind: OwnedKind, id: string): Promise<Located> {
  const { organizationId: ownerId, ...path } = (await findOwner(ctx, kind, id)) ?? {};
  return { ...path, ownerId };
}

export interface MessageTranslation {
  /** The operation, with the members of the request that are in its path; several if the message decides which. */
  at: OperationAddress | readonly OperationAddress[];
  /** The index in `at` of the operation; any other number if the request is not for one of them. */
  which?(json: JsonObject, read: object): number;
  /** Finds what owns the objects that the message names. Left out: the metadata name the organization. */
  locate?(ctx: Context, json: JsonObject): Promise<Located>;
  /** What is read before: the address and the request, with the permissions of the caller. */
  reads?(json: JsonObject, located: Located): { at: OperationAddress; json: JsonObject } | undefined;
  /** @param read the answer of what was read before; empty if nothing was */
  request?(json: JsonObject, read: object, located: Located): JsonObject;
  /** @param json the answer of the operation */
  answer?(json: JsonObject, sent: JsonObject, located: Located): object;
  /** The ids of refusals that ZITADEL answers as a success, because it is so already. */
  soAlready?: readonly string[];
  /** Fields of the request without a counterpart, which are ignored. */
  ignored?: readonly string[];
  /** Fields of the answer without a counterpart. */
  empty?: readonly string[];
}

/** Translations of one service in several versions, by the names of the procedures. */
export const inServices = (services: readonly string[], translations: Readonly<Record<string, MessageTranslation>>) =>
  Object.fromEntries(
    services.flatMap((service) =>
      Object.entries(translations).map(([name, one]) => [`zitadel.${service}/${name}`, one] as const),
    ),
  );

/** The answer of a change, which has only its time. */
export const dated =
  (...names: readonly string[]) =>
  (json: JsonObject): object => {
    const { changeDate } = (json.details ?? {}) as JsonObject;
    return { ...json, ...Object.fromEntries(names.map((name) => [name, changeDate ?? null])) };
  };

/** The members that were sent. */
export function sentOnly(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

export const stringIn = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** One filter as an entry of `queries`; undefined if it only names the organization. */
type FilterTranslation = (value: JsonValue) => JsonObject | undefined;

/** A filter on a text, whose methods have another name. */
export const textFilter =
  (query: string, member: string, sentAs = member): FilterTranslation =>
  (value) => {
    const { [sentAs]: text = "", method } = value as JsonObject;
    const named = method === undefined ? undefined : String(method).replace("_FILTER_", "_QUERY_");
    return { [query]: sentOnly({ [member]: text, method: named }) };
  };

/** A filter that is an id. */
export const idFilterAs =
  (query: string, member: string): FilterTranslation =>
  (value) => ({ [query]: { [member]: (value as JsonObject).id ?? (value as JsonObject)[member] ?? "" } });

/** A filter that is a list of ids. */
export const idsFilterAs =
  (query: string, member: string): FilterTranslation =>
  (value) => ({ [query]: { [member]: (value as JsonObject).ids ?? [] } });

/** Names the organization, or the object that is searched. */
export const namesScope: FilterTranslation = () => undefined;

/** A list: pages, filters and rows have other names. Unknown filters are refused by the operation. */
export function listTranslation(
  member: string,
  filters: Readonly<Record<string, FilterTranslation>>,
  item: (row: JsonObject, sent: JsonObject, located: Located) => object,
) {
  return {
    request({ pagination, filters: some, filter, ...rest }: JsonObject): JsonObject {
      const sent = ((some ?? filter ?? []) as JsonObject[]).flatMap((entry) => Object.entries(entry));
      const queries = sent.flatMap(([name, value]) => {
        const translated = filters[name];
        return translated ? (translated(value) ?? []) : { [name]: value };
      });
      const { sortingColumn: _, ...named } = rest;
      return { ...named, ...(pagination !== undefined && { query: pagination }), queries };
    },
    answer(json: JsonObject, sent: JsonObject, located: Located): object {
      const { pagination } = sent;
      const { totalResult = "0" } = (json.details ?? {}) as JsonObject;
      const rows = (json.result ?? []) as JsonObject[];
      return {
        pagination: appliedTo(String(totalResult), (pagination ?? {}) as { limit?: number }),
        [member]: rows.map((row) => item(row, sent, located)),
      };
    },
  };
}

const filtersIn = (json: JsonObject) =>
  ((json.filters ?? json.filter ?? []) as JsonObject[]).flatMap((entry) => Object.entries(entry));

/** What owns the first of the objects that a list names by their ids. @param kinds what the ids of a filter are of */
export async function ownerNamed(ctx: Context, json: JsonObject, kinds: Readonly<Record<string, OwnedKind>>) {
  const sent = new Map(filtersIn(json));
  for (const [name, kind] of Object.entries(kinds)) {
    const { ids, id } = (sent.get(name) ?? {}) as { ids?: string[]; id?: string };
    const first = ids?.[0] ?? id;
    if (first !== undefined) return { ownerId: (await located(ctx, kind, first)).ownerId };
  }
  return {};
}

/** The value of a filter in a list, for `locate`. */
export function filterValue(json: JsonObject, ...names: readonly string[]): string | undefined {
  const [, value] = filtersIn(json).find(([name]) => names.includes(name)) ?? [];
  if (value === undefined) return undefined;
  return stringIn(Object.values(value as JsonObject)[0]);
}

const toIso = (details: JsonObject) => sentOnly({ creationDate: details.creationDate, changeDate: details.changeDate });

/** The times and the owner of an object. */
export const headOf = (row: JsonObject): JsonObject => {
  const details = (row.details ?? {}) as JsonObject;
  return { ...toIso(details), organizationId: details.resourceOwner ?? "" };
};
