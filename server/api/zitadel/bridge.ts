/**
 * ZITADEL's procedures as operations. Its proto files name the REST address of each procedure (`google.api.http`), and
 * operations have the same addresses, so that one conversion serves all: the fields of the message become the path,
 * the query and the JSON body of the request, and the JSON of the answer becomes the message. Nothing is decided here.
 */
import {
  type DescMessage,
  type DescMethod,
  fromJson,
  getOption,
  hasOption,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { operations } from "../all";
import type { ConvertedRequest, MessageConversion } from "../grpc/procedures";
import type { Operation } from "../operation/operation";
import { type RestAddress, unpublishedAddress } from "./addresses";
import { readZitadelService, type ZitadelServiceName } from "./descriptors";
import { type MessageShape, messageShapeOf } from "./shapes";

export interface BridgedProcedure {
  method: DescMethod;
  /** Undefined if the procedure does not exist here. */
  bridge?: Bridge;
}

export interface Bridge extends MessageConversion {
  operation: Operation;
  /** The fields that are part of the path. */
  inPath: readonly string[];
  /** Whether an absent field means its zero value, as in updates of version 1, which replace the whole. */
  replaces: boolean;
  shape?: MessageShape;
}

export async function bridgedProcedures(name: ZitadelServiceName): Promise<readonly BridgedProcedure[]> {
  const { service, http } = await readZitadelService(name);
  return service.methods.map((method) => {
    const rule = hasOption(method, http) ? (getOption(method, http) as unknown as HttpRule) : undefined;
    return { method, bridge: firstBridge(method, restAddresses(method, rule)) };
  });
}

/** A google.api.HttpRule. */
interface HttpRule {
  pattern: { case?: string; value?: unknown };
  additionalBindings: readonly HttpRule[];
}

const PREFIXES: Readonly<Record<string, string>> = {
  "zitadel.admin.v1": "/admin/v1",
  "zitadel.management.v1": "/management/v1",
  "zitadel.auth.v1": "/auth/v1",
  "zitadel.system.v1": "/system/v1",
};

function restAddresses(method: DescMethod, rule: HttpRule | undefined): RestAddress[] {
  const { typeName, file } = method.parent;
  const declared = unpublishedAddress(`${typeName}/${method.name}`);
  const rules = rule ? [rule, ...rule.additionalBindings] : [];
  const prefix = PREFIXES[file.proto.package] ?? "";
  const published = rules.map(
    ({ pattern }): RestAddress => `${pattern.case?.toUpperCase() as Operation["method"]} ${prefix}${pattern.value}`,
  );
  // The beta version of a service has the messages of the version that followed it.
  const succeeding = published.map((address) => address.replace(" /v2beta/", " /v2/") as RestAddress);
  return [...(declared ? [declared] : []), ...published, ...succeeding];
}

interface Place {
  operation: Operation;
  /** The names of its parameters, in order. */
  parameters: readonly string[];
}

let places: Map<string, Place> | undefined;

const VARIABLE = /:\w+|\{[^}]+\}/g;
/** Without the names of parameters, which differ. */
const withoutNames = (address: string) => address.replace(VARIABLE, "{}");

function placeAt(address: RestAddress): Place | undefined {
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

function firstBridge(method: DescMethod, addresses: readonly RestAddress[]): Bridge | undefined {
  for (const address of addresses) {
    const place = placeAt(address);
    if (place) return bridgeTo(method, address, place);
  }
  return undefined;
}

function bridgeTo(method: DescMethod, address: RestAddress, { operation, parameters }: Place): Bridge {
  const { input, output } = method;
  const shape = messageShapeOf(`${method.parent.typeName}/${method.name}`);
  // `{role_key=**}` may have slashes in it.
  const variables = (address.match(VARIABLE) ?? []).map((variable) => variable.slice(1, -1).replace(/=.*$/, ""));
  const inPath = variables.map((variable) => jsonNameOf(input, variable));
  const replaces = operation.method === "PUT" && !/^\/v2/.test(operation.path);
  return {
    operation,
    inPath,
    replaces,
    shape,
    request(message) {
      const sent = readable(() => toJson(input, message as Message, { alwaysEmitImplicit: replaces }) as JsonObject);
      if (!sent) return unreadableMessage();
      const json = shape?.request?.(sent) ?? sent;
      const converted: ConvertedRequest = { parameters: {} };
      converted.parameters = Object.fromEntries(inPath.map((name, at) => [parameters[at] ?? name, taken(json, name)]));
      if (operation.body) converted.body = json;
      else converted.query = queryOf(json);
      if (replaces) converted.isSent = (path) => isIn(toJson(input, message as Message) as JsonObject, path);
      return converted;
    },
    answer(json) {
      const shaped = withDefault(output, shape?.answer?.(json) ?? json);
      return fromJson(output, withoutUndefined(shaped), { ignoreUnknownFields: true });
    },
  };
}

/** The path of a field, `a.b_c`, by the names in JSON. */
function jsonNameOf(message: DescMessage, path: string): string {
  const [first = "", ...rest] = path.split(".");
  const field = message.fields.find(({ name }) => name === first);
  if (!field) throw new Error(`${message.typeName} has no ${first}`);
  const inner = field.message;
  return rest.length > 0 && inner ? `${field.jsonName}.${jsonNameOf(inner, rest.join("."))}` : field.jsonName;
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

/** Messages can have what JSON cannot: a time in the year 10000, half of a character. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const unreadableMessage = (): ApiError =>
  invalidArgument("request.malformed", "A field of the message has a value that does not exist in JSON.");

/** Whether a member, `profile.age` or `queries[0].name`, was sent. */
function isIn(json: JsonObject, path: string): boolean {
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  const found = names.reduce<unknown>((inner, name) => (inner as JsonObject | undefined)?.[name], json);
  return found !== undefined;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Policies say that they are inherited themselves; in some messages it is beside the policy as well. */
function withDefault({ field }: DescMessage, answer: object): object {
  const { policy } = answer as { policy?: { isDefault?: boolean } };
  return field.isDefault && policy ? { ...answer, isDefault: policy.isDefault } : answer;
}

/** What JSON leaves out. */
function withoutUndefined(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUndefined(member)]));
}
