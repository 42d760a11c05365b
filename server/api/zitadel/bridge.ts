/**
 * ZITADEL's procedures as operations. Its proto files name the REST address of each procedure (`google.api.http`), and
 * operations have the same addresses, so that one conversion serves all: the fields of the message become the path,
 * the query and the JSON body of the request, and the JSON of the answer becomes the message. Nothing is decided here.
 */
import type { DescMessage, DescMethod, JsonObject } from "@bufbuild/protobuf";
import { isApiError } from "../../protocol/api-error";
import { JsonMessage } from "../grpc/json-message";
import { addressesOf, type RestAddress } from "./addresses";
import { readZitadelService, type ZitadelServiceName } from "./descriptors";
import { jsonOfMessage } from "./message-json";
import { type Bridge, convertedTo, type OperationPlace, pathVariables, placeAt } from "./places";
import { messageShapeOf } from "./shapes";
import { translatedBridge } from "./translated";
import { translationOf } from "./translations/all";

export interface BridgedProcedure {
  method: DescMethod;
  /** Undefined if the procedure does not exist here. */
  bridge?: Bridge;
}

export async function bridgedProcedures(name: ZitadelServiceName): Promise<readonly BridgedProcedure[]> {
  const service = await readZitadelService(name);
  return service.methods.map((method) => {
    const translation = translationOf(`${name}/${method.name}`);
    if (translation) return { method, bridge: translatedBridge(method, translation) };
    return { method, bridge: firstBridge(method, addressesOf(name, method.name)) };
  });
}

/** Whether the procedure exists here, without its descriptor. */
export const isAnswered = (name: ZitadelServiceName, method: string): boolean =>
  translationOf(`${name}/${method}`) !== undefined ||
  addressesOf(name, method).some((address) => placeAt(address) !== undefined);

function firstBridge(method: DescMethod, addresses: readonly RestAddress[]): Bridge | undefined {
  for (const address of addresses) {
    const place = placeAt(address);
    if (place) return bridgeTo(method, address, place);
  }
  return undefined;
}

function bridgeTo(method: DescMethod, address: RestAddress, place: OperationPlace): Bridge {
  const { input, output } = method;
  const { operation } = place;
  const shape = messageShapeOf(`${method.parent.typeName}/${method.name}`);
  const inPath = pathVariables(address).map((variable) => jsonNameOf(input, variable));
  // An absent field means its zero value in updates of version 1, which replace the whole.
  const complete = detailsOf(output);
  const replaces = operation.method === "PUT" && !/^\/v2/.test(operation.path);
  return {
    operation,
    inPath,
    shape,
    request(message) {
      const sent = jsonOfMessage(input, message, { alwaysEmitImplicit: replaces });
      if (isApiError(sent)) return sent;
      const json = shape?.request?.(sent) ?? sent;
      const converted = convertedTo(place, inPath, json);
      if (replaces) converted.isSent = (path) => isIn(jsonOfMessage(input, message) as JsonObject, path);
      return converted;
    },
    answer(json) {
      return new JsonMessage(withDefault(output, complete(shape?.answer?.(json) ?? json)));
    },
  };
}

const OBJECT_DETAILS = "zitadel.v1.ObjectDetails";
const LIST_DETAILS = "zitadel.v1.ListDetails";

/**
 * Returns a function that adds the details of objects and lists whose JSON here has their times and their rows alone.
 * The places are found once, because most answers have none.
 */
function detailsOf({ fields, field }: DescMessage): (answer: object) => object {
  const members = fields.filter(({ message }) => message?.field.details?.message?.typeName === OBJECT_DETAILS);
  const isList = field.details?.message?.typeName === LIST_DETAILS;
  if (members.length === 0 && !isList) return (answer) => answer;
  return (answer) => {
    const made = { ...answer } as Record<string, unknown>;
    const [rows] = Object.values(made).filter(Array.isArray);
    if (isList) made.details ??= { totalResult: String(rows?.length ?? 0) };
    for (const { jsonName } of members) {
      const value = made[jsonName];
      if (Array.isArray(value)) made[jsonName] = value.map(dated);
      else if (value !== undefined) made[jsonName] = dated(value as Dated);
    }
    return made;
  };
}

interface Dated {
  details?: object;
  creationDate?: string;
  changeDate?: string;
}

const dated = (row: Dated): object =>
  row.details !== undefined || row.creationDate === undefined
    ? row
    : { ...row, details: { creationDate: row.creationDate, changeDate: row.changeDate ?? row.creationDate } };

/** The path of a field, `a.b_c`, by the names in JSON. */
function jsonNameOf(message: DescMessage, path: string): string {
  const [first = "", ...rest] = path.split(".");
  const field = message.fields.find(({ name }) => name === first);
  if (!field) throw new Error(`${message.typeName} has no ${first}`);
  const inner = field.message;
  return rest.length > 0 && inner ? `${field.jsonName}.${jsonNameOf(inner, rest.join("."))}` : field.jsonName;
}

/** Whether a member, `profile.age` or `queries[0].name`, was sent. */
function isIn(json: JsonObject, path: string): boolean {
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  const found = names.reduce<unknown>((inner, name) => (inner as JsonObject | undefined)?.[name], json);
  return found !== undefined;
}

/** Policies say that they are inherited themselves; in some messages it is beside the policy as well. */
function withDefault({ field }: DescMessage, answer: object): object {
  const { policy } = answer as { policy?: { isDefault?: boolean } };
  return field.isDefault && policy ? { ...answer, isDefault: policy.isDefault } : answer;
}
