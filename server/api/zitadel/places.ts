/** The operations by their REST addresses, and the JSON of a message as a request to one of them. */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { operations } from "../all";
import type { ConvertedRequest, MessageConversion } from "../grpc/procedures";
import type { Operation } from "../operation/operation";
import type { RestAddress } from "./addresses";

export interface Bridge extends MessageConversion {
  operation: Operation;
  /** The fields that are part of the path. */
  inPath: readonly string[];
  /** What of the messages has no counterpart, where that is declared. */
  shape?: { ignored: readonly string[]; empty: readonly string[] };
}

export interface OperationPlace {
  operation: Operation;
  /** The names of its parameters, in order. */
  parameters: readonly string[];
}

let places: Map<string, OperationPlace> | undefined;

const VARIABLE = /:\w+|\{[^}]+\}/g;
/** Without the names of parameters, which differ. */
const withoutNames = (address: string) => address.replace(VARIABLE, "{}");

export function placeAt(address: RestAddress): OperationPlace | undefined {
  places ??= new Map(
    operations.flatMap((operation) =>
      [operation.path, ...(operation.aliases ?? []), ...(operation.misspelt ?? [])].map((path) => {
        const parameters = (path.match(VARIABLE) ?? []).map((name) => name.slice(1));
        return [withoutNames(`${operation.method} ${path}`), { operation, parameters }] as const;
      }),
    ),
  );
  return places.get(withoutNames(address));
}

let patterns: Map<string, string> | undefined;

/** The path of an address as routes have it, `/v2/users/:userId`, with the names that operations use there. */
export function patternOf(address: RestAddress): string {
  patterns ??= new Map(operations.map(({ path }) => [withoutNames(path), path]));
  const path = address.replace(/^\w+ /, "");
  const named = path.replace(
    /\{(\w+)[^}]*\}/g,
    (_, name: string) => `:${name.replace(/_(.)/g, (_, c) => c.toUpperCase())}`,
  );
  return patterns.get(withoutNames(path)) ?? named;
}

/** The variables of an address; `{role_key=**}` may have slashes in it. */
export const pathVariables = (address: RestAddress): string[] =>
  (address.match(VARIABLE) ?? []).map((variable) => variable.slice(1, -1).replace(/=.*$/, ""));

/** @param inPath the members of `json` that become the path; they are removed from it */
export function convertedTo({ operation, parameters }: OperationPlace, inPath: readonly string[], json: JsonObject) {
  const values = inPath.map((name, at) => [parameters[at] ?? name, taken(json, name)] as const);
  const converted: ConvertedRequest = { operation, parameters: Object.fromEntries(values) };
  if (operation.body) converted.body = json;
  else converted.query = queryOf(json);
  return converted;
}

/** Removes a field, which is part of the path. */
function taken(json: JsonObject, path: string): string {
  const [first = "", ...rest] = path.split(".");
  const value = json[first];
  if (rest.length > 0) return isObject(value) ? taken(value, rest.join(".")) : "";
  delete json[first];
  return value === undefined || value === null ? "" : String(value);
}

/** The query as google.api.http writes it: `query.limit=5`, lists repeated. */
function queryOf(json: JsonObject, above = ""): Record<string, string | readonly string[]> {
  const entries = Object.entries(json).flatMap(([name, value]): [string, string | readonly string[]][] => {
    if (isObject(value)) return Object.entries(queryOf(value, `${above}${name}.`));
    return [[`${above}${name}`, Array.isArray(value) ? value.map(String) : String(value)]];
  });
  return Object.fromEntries(entries);
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
