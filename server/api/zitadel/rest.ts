/**
 * The REST addresses in ZITADEL's proto files at which no operation is: those of version 2 whose messages are
 * translated, and those of its beta. Path, query and body are the message as JSON, and its procedure answers.
 */
import { type DescMessage, fromJson, type JsonObject, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { apiAnswer, apiErrorAnswer, jsonBody, presentedCredentials } from "../../http/api-errors";
import { clientCertificateOf } from "../../http/client-certificate";
import type { Http } from "../../http/env";
import { clientAddress } from "../../http/request";
import { mergeRoutes, type Routes } from "../../http/routes";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { ProcedureTable, UnaryProcedure } from "../grpc/unary";
import { jsonOfAnswer, malformed } from "../grpc/wire";
import { ignoredHeader } from "../operation/lenient-body";
import { publishedAddresses } from "./addresses";
import { isAnswered } from "./bridge";
import { type ZitadelServiceName, zitadelMethods, zitadelServiceNames } from "./descriptors";
import { pathVariables, patternOf, placeAt } from "./places";

/** @param proceduresIn returns the procedures of a service */
export function zitadelRestRoutes(
  ctx: Context,
  proceduresIn: (name: ZitadelServiceName) => Promise<ProcedureTable>,
): Routes {
  const tables = zitadelServiceNames.flatMap((service) =>
    zitadelMethods(service)
      .filter((name) => isAnswered(service, name))
      .flatMap((name) => publishedAddresses(service, name).map((address) => ({ name, address })))
      .filter(({ address }) => placeAt(address) === undefined)
      .map(({ name, address }): Routes => {
        const variables = pathVariables(address);
        const answer = async (_: Context, http: Http) => {
          const procedure = (await proceduresIn(service)).get(`/${service}/${name}`);
          return restAnswer(ctx, procedure as UnaryProcedure, variables, http);
        };
        return { [patternOf(address)]: { [address.split(" ", 1).join()]: answer } };
      }),
  );
  return mergeRoutes(...tables);
}

/** @param variables the fields in the path, in order */
async function restAnswer(
  ctx: Context,
  procedure: UnaryProcedure,
  variables: readonly string[],
  http: Http,
): Promise<Response> {
  const { req } = http;
  const call = {
    path: req.path,
    metadata: (name: string) => req.header(name),
    requestId: http.get("requestId") ?? newId(),
    certificate: clientCertificateOf(ctx, http),
    address: clientAddress(ctx, http),
    signal: req.raw.signal,
    headers: {} as Record<string, string>,
    rest: presentedCredentials(ctx, http),
  };
  const json = await messageIn(http, procedure.input, variables);
  const message = isApiError(json) ? json : readMessage(procedure.input, json);
  const answer = isApiError(message)
    ? ((await procedure.refusal?.(call)) ?? message)
    : await procedure.perform(message, call);
  if (answer instanceof ConnectError) throw answer;
  if (isApiError(answer)) return apiErrorAnswer(http, answer);
  const unknown = isApiError(json) ? [] : unknownMembers(procedure.input, json, "");
  const ignored = [call.headers["x-service-ignored"], ignoredHeader(unknown)].filter(Boolean);
  if (ignored.length > 0) http.header("x-service-ignored", ignored.join(", "));
  return apiAnswer(http, jsonOfAnswer(procedure.output, answer));
}

/** The message as JSON: members of the path override those of the body, which override those of the query. */
async function messageIn(http: Http, type: DescMessage, variables: readonly string[]): Promise<JsonObject | ApiError> {
  const { req } = http;
  const json: JsonObject = {};
  for (const [path, values] of Object.entries(req.queries())) put(type, json, path.split("."), values);
  const body = req.method === "GET" ? undefined : await jsonBody(http);
  if (isApiError(body)) return body;
  if (body !== undefined && !isObject(body as JsonValue)) return malformed("it is no JSON object", true);
  Object.assign(json, body);
  const inPath = Object.values(req.param() as Record<string, string>);
  variables.forEach((variable, at) => {
    const field = fieldNamed(type, variable);
    for (const name of [field?.name, field?.jsonName]) if (name !== undefined) delete json[name];
    put(type, json, [variable], [inPath[at] ?? ""]);
  });
  return json;
}

const fieldNamed = ({ fields }: DescMessage, wanted: string | undefined) =>
  fields.find(({ name, jsonName }) => name === wanted || jsonName === wanted);

/** `pagination.limit=5` as `{ pagination: { limit: "5" } }`; lists are repeated. What is no field is left out. */
function put(type: DescMessage, json: JsonObject, [name, ...rest]: readonly string[], values: readonly string[]): void {
  const field = fieldNamed(type, name);
  if (!field) return;
  const { jsonName, message } = field;
  if (rest.length > 0) {
    if (field.fieldKind !== "message" || !message) return;
    const above = json[jsonName];
    const inner = above !== undefined && isObject(above) ? above : {};
    json[jsonName] = inner;
    put(message, inner, rest, values);
    return;
  }
  const read = values.map((value) => (field.scalar === ScalarType.BOOL ? value === "true" : value));
  json[jsonName] = field.fieldKind === "list" ? read : (read.at(-1) ?? "");
}

function readMessage(type: DescMessage, json: JsonObject) {
  try {
    return fromJson(type, json, { ignoreUnknownFields: true });
  } catch (error) {
    return malformed((error as Error).message, true);
  }
}

/** The paths of members that the message does not have (rule API-7). */
function unknownMembers(type: DescMessage, json: JsonObject, above: string): string[] {
  return Object.entries(json).flatMap(([name, value]) => {
    const field = fieldNamed(type, name);
    if (!field) return [`${above}${name}`];
    const inner = field.fieldKind === "map" ? undefined : field.message;
    if (!inner || inner.typeName.startsWith("google.protobuf.")) return [];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item, at) => {
      const path = `${above}${name}${Array.isArray(value) ? `[${at}]` : ""}.`;
      return isObject(item) ? unknownMembers(inner, item, path) : [];
    });
  });
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
