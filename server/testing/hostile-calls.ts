/**
 * Calls of management operations that refer to objects of another organization, generated from the addresses and
 * schemas of the operations, so that new operations and members are covered automatically.
 */
import { z } from "zod";
import type { Operation } from "../api/operation/operation";
import type { ApiResult } from "./api";
import type { Belongings } from "./belongings";
import { scenarios } from "./scenarios/all";

/** A place in a call that can refer to an object of another organization. */
export interface Place {
  part: "path" | "query" | "body" | "header";
  /** Its path: `userId`, `queries.*.userIdQuery.userId`. */
  at: string;
  /** The kind of object: a key of `Belongings`. */
  kind: string;
}

export interface MadeCall {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

type Json = Record<string, unknown>;

/** The members that refer to objects; all others of an operation are values. */
const KIND_OF: Readonly<Record<string, string>> = {
  ...{ userId: "userId", userIds: "userId", actorId: "userId", aggregateId: "userId", userName: "userName" },
  ...{
    username: "userName",
    loginName: "loginName",
    emailAddress: "email",
    emails: "email",
    organizationId: "organizationId",
  },
  ...{
    orgId: "organizationId",
    grantedOrgId: "organizationId",
    projectGrantId: "projectGrantId",
    projectId: "projectId",
    projectIds: "projectId",
    grantIds: "userGrantId",
    resourceOwner: "organizationId",
    appId: "appId",
    clientId: "clientId",
    tokenClientIds: "clientId",
    sessionId: "sessionId",
  },
  ...{ secretId: "secretId", tokenId: "tokenId", factorId: "factorId", passkeyId: "passkeyId", webKeyId: "webKeyId" },
  ...{ idpId: "idpId", decisionId: "decisionId" },
  ...{ domain: "domain", text: "text", linkedUserId: "text", idpIntentId: "text", instanceId: "text" },
};
/** Members whose meaning depends on the operation, by its address. */
const KIND_BY_PATH: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  id: [
    [/\/(?:messages|trials)\//, "messageId"],
    [/\/drafts\//, "textDraftId"],
    [/\/(email|smtp)\//, "providerId"],
    [/\/sms\//, "smsProviderId"],
    [/\/idps\//, "idpId"],
    [/features\/user\//, "userId"],
    [/features\/organization\/|\/(?:project)?orgs\b|\/_apply$/, "organizationId"],
    [/\/projects$/, "projectId"],
  ],
  keyId: [
    [/\/apps\//, "appKeyId"],
    [/./, "machineKeyId"],
  ],
  grantId: [
    [/\/tokens\b/, "tokenGrantId"],
    [/projects\/:projectId\/grants\b/, "projectGrantId"],
    [/./, "userGrantId"],
  ],
};
const looksLikeId = (name: string) => /(^i|I)ds?$/.test(name);

/**
 * Returns the kind of object that a member or parameter refers to; undefined for a plain value. Throws for an id of an
 * unknown kind.
 */
function kindOf(name: string, path: string): string | undefined {
  const kind = KIND_OF[name] ?? KIND_BY_PATH[name]?.find(([pattern]) => pattern.test(path))?.[1];
  if (kind === undefined && looksLikeId(name)) throw new Error(`${path}: say what ${name} names (hostile-calls.ts)`);
  return kind;
}

/** Returns the kind at this address, where users may be machines. */
const kindHere = (kind: string, path: string) =>
  kind === "userId" && /:userId\/(keys|pats|secret|machine)\b|\/users\/(keys|pats)\//.test(path) ? "machineId" : kind;

/** Whether an operation only reads, so that it may be called about the caller's own objects. */
export const isReading = ({ method, path }: Operation) => method === "GET" || /[/_]search$/.test(path);

export function placesOf(operation: Operation): Place[] {
  const { path, body, query, scope } = operation;
  const parameters = [...path.matchAll(/:(\w+)/g)].flatMap(([, name = ""]) => {
    const kind = kindOf(name, path);
    return kind === undefined ? [] : [{ part: "path", at: name, kind: kindHere(kind, path) } as const];
  });
  const inside = (part: "body" | "query", schema: z.ZodType | undefined) =>
    schema ? leavesOf(schema).flatMap((at) => placeIn(part, at, path)) : [];
  const header = /^(organization|project|projects)$/.test(scope.level)
    ? ["x-service-orgid", "x-zitadel-orgid"].map((at) => ({ part: "header", at, kind: "organizationId" }) as const)
    : [];
  if (scope.level === "instance") return parameters; // rejected before anything else is read
  return [...parameters, ...inside("query", query), ...inside("body", body), ...header];
}

function placeIn(part: "body" | "query", at: string, path: string): Place[] {
  const [parent = "", leaf = ""] = ["", ...at.replaceAll(".*", "").split(".")].slice(-2);
  // In a filter, the name of the filter determines the kind: `userIdFilter.id`.
  const name = leaf === "id" && parent.endsWith("IdFilter") ? parent.slice(0, -"Filter".length) : leaf;
  if (/^connectedAuthorizationServers\b/.test(at)) return []; // ids at another authorization server
  if (/\bidpLinks\b/.test(at)) return []; // a link is one value: AddIDPLink is called with the same
  if (at === "code.id") return []; // the secret beside it decides
  if (name === "keyId") return []; // the id of a new key: it is unique for a machine or app only
  if (/^(client|team|tenant)Id$/.test(name) && /\/idps\b/.test(path)) return []; // ids at the provider
  if (/\/(text\/login|hosted_login_translation)\b/.test(path)) return []; // the page texts, by their own names
  const kind = kindOf(name, path);
  return kind === undefined ? [] : [{ part, at, kind: kindHere(kind, path) }];
}

/** Returns the paths to all strings of a schema: `queries.*.userIdQuery.userId`. */
function leavesOf(schema: z.ZodType): string[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  const definitions = (root.$defs ?? {}) as Record<string, Json>;
  const found = new Set<string>();
  const within: string[] = [];
  const walk = (node: Json, at: string): void => {
    if (typeof node.$ref === "string") {
      const name = node.$ref.split("/").at(-1) ?? "";
      if (within.includes(name)) return; // it contains itself
      within.push(name);
      walk(definitions[name] ?? {}, at);
      within.pop();
    }
    for (const way of ["anyOf", "oneOf", "allOf"]) for (const one of (node[way] ?? []) as Json[]) walk(one, at);
    for (const [name, one] of Object.entries((node.properties ?? {}) as Record<string, Json>)) {
      walk(one, at === "" ? name : `${at}.${name}`);
    }
    if (node.items) walk(node.items as Json, `${at}.*`);
    if (node.type === "string" && !node.enum && at !== "") found.add(at);
  };
  walk(root, "");
  return [...found];
}

/** Returns the call of an operation about `own`, with `foreign` at these places. */
export function callAt(operation: Operation, places: readonly Place[], own: Belongings, foreign: Belongings): MadeCall {
  const at = (part: Place["part"], name: string) => places.find((place) => place.part === part && place.at === name);
  const address = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = kindOf(name, operation.path);
    const from = at("path", name) ? foreign : own;
    const value = kind === undefined ? (PLAIN[name] ?? from[name]) : from[kindHere(kind, operation.path)];
    if (value === undefined) throw new Error(`${operation.id}: no value for ${name} (hostile-calls.ts)`);
    return encodeURIComponent(value);
  });
  const sample = samples.get(operation.id);
  const query = new URLSearchParams(sample?.query);
  const body = structuredClone(sample?.body) as Json | undefined;
  let sent: unknown = body;
  const headers: Record<string, string> = {};
  for (const { part, at: way, kind } of places) {
    const value = foreign[kind] ?? "";
    if (part === "query") query.set(way, value);
    if (part === "header") headers[way] = value;
    if (part === "body") sent = placed(sent, way.split("."), value);
  }
  const asked = query.size > 0 ? `?${query}` : "";
  return { method: operation.method, path: address + asked, body: sent, headers };
}

const PLAIN: Readonly<Record<string, string>> = {
  language: "de",
  key: "salary",
  scopeKey: "salary",
  generatorType: "SECRET_GENERATOR_TYPE_INIT_CODE",
  authRequest: "sealed",
  deviceAuthorization: "BCDF-GHJK",
};

/** The requests of the scenarios by operation: the first that does not depend on earlier responses. */
const samples = new Map<string, { body: unknown; query?: Record<string, string> }>();
for (const { operation, body, query } of Object.values(scenarios).flat()) {
  if (typeof body !== "function" && !samples.has(operation)) samples.set(operation, { body, query });
}

/** Returns the value with `leaf` at that place; a list becomes a list with only it. */
export function placed(value: unknown, [step, ...rest]: string[], leaf: string): unknown {
  if (step === undefined) return leaf;
  if (step === "*") {
    const first = Array.isArray(value) && rest[0] !== undefined && !rest[0].endsWith("Query") ? value[0] : undefined;
    return [placed(first, rest, leaf)];
  }
  const object = (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Json;
  return { ...object, [step]: placed(object[step], rest, leaf) };
}

/** Ids and names that callers choose for something new, so that a taken one must be refused. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  AddOrg: ["id", "organizationId", "orgId"],
  AddProject: ["id", "projectId"],
  AddOIDCApp: ["appId", "clientId", "applicationId", "id"],
  AddAPIApp: ["appId", "clientId"],
  AddHumanUser: ["userId"],
  ImportHumanUser: ["userId"],
  AddHumanUserV2: ["userId"],
  CreateUserV2: ["userId"],
  AddMachineUser: ["userId"],
};
/** Whether one of these places is the id of what the operation adds. */
export const isChosen = ({ id }: Operation, places: readonly Place[]) =>
  places.some(({ part, at }) => part === "body" && CHOSEN[id]?.includes(at));

/** Members that name an organization for what the operation is for: any may be named that exists. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  AddProjectGrant: ["grantedOrgId", "grantedOrganizationId"],
  UpdateProjectGrant: ["grantedOrganizationId"],
  RemoveProjectGrant: ["grantedOrganizationId"],
  DeactivateProjectGrant: ["grantedOrganizationId"],
  ReactivateProjectGrant: ["grantedOrganizationId"],
};

export const mayBeNamed = ({ id }: Operation, places: readonly Place[]) =>
  places.some(({ part, at }) => part === "body" && NAMED[id]?.includes(at));

/** Each place alone, and all at once. */
export function placesToTry(places: readonly Place[]): Place[][] {
  const all = places.filter(({ part }) => part === "path" || part === "header");
  if (places.length === 0) return [[]];
  return [...places.map((place) => [place]), ...(all.length > 1 ? [all] : [])];
}

/** The answer without what the request said, the time, the number of changes before, and the id of what was added. */
export function answerApart({ status, body: answered }: ApiResult, { path, body, headers }: MadeCall): string {
  const said = [...decodeURIComponent(path).split(/[/?&=]/), ...textsOf(body), ...Object.values(headers)];
  return said
    .filter((text) => text.length > 3)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, text) => rest.replaceAll(text, "…"), `${status} ${JSON.stringify(answered)}`)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|(?<="sequence":")\d+/g, "…")
    .replace(/(?<=^200 .*"id":")[\da-f-]{36}(?="\}$)/, "…");
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
