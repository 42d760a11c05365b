/**
 * Calls of ZITADEL's procedures that refer to objects of another organization: those of the operations behind them
 * (hostile-calls.ts), and, for messages of another shape, generated from their fields.
 */
import type { DescMessage, DescMethod, JsonObject } from "@bufbuild/protobuf";
import type { Operation } from "../api/operation/operation";
import type { Bridge } from "../api/zitadel/places";
import type { Belongings } from "./belongings";
import { callAt, type MadeCall, type Place, placed, placesOf } from "./hostile-calls";

/** The places of a message, and the message about `own` with `foreign` at some of them. */
export interface HostileProcedure {
  places: readonly Place[];
  callWith(places: readonly Place[], own: Belongings, foreign: Belongings): MadeCall;
}

/** @param path the address of the procedure */
export function hostileProcedure(path: string, method: DescMethod, bridge: Bridge): HostileProcedure {
  return bridge.shape ? byFields(path, method) : byOperation(path, method, bridge);
}

/** The fields of the message become the path, the query or the body of the operation. */
function byOperation(path: string, { input }: DescMethod, { operation, inPath }: Bridge): HostileProcedure {
  const fields = input.fields.map(({ jsonName }) => jsonName);
  const isTaken = ({ part, at }: Place) => /path|header/.test(part) || fields.includes(at.split(".")[0] ?? "");
  return {
    places: placesOf(operation).filter(isTaken),
    callWith(places, own, foreign) {
      const { path: address, body, headers } = callAt(operation, places, own, foreign);
      const [inAddress = "", query = ""] = address.split("?");
      const values = parametersIn(operation, inAddress);
      let sent: unknown = body ?? {};
      for (const [name, value] of new URLSearchParams(query)) sent = placed(sent, name.split("."), value);
      inPath.forEach((name, at) => {
        sent = placed(sent, name.split("."), values[at] ?? "");
      });
      return { method: "POST", path, body: sent, headers };
    },
  };
}

function parametersIn({ path }: Operation, address: string): string[] {
  const pattern = path.replaceAll(/[$.*+?()[\]{}|]/g, "\\$&").replaceAll(/:\w+/g, "([^/]+)");
  return (new RegExp(`^${pattern}$`).exec(address) ?? []).slice(1).map(decodeURIComponent);
}

function byFields(path: string, { input }: DescMethod): HostileProcedure {
  const inMessage = textsIn(input).flatMap((at): Place[] => {
    const kind = kindOfField(path, at);
    return kind === undefined ? [] : [{ part: "body", at, kind }];
  });
  const header = { part: "header", at: "x-zitadel-orgid", kind: "organizationId" } as const;
  return {
    places: [...inMessage, header],
    callWith(places, own, foreign) {
      const isInHeader = places.some(({ part }) => part === "header");
      // The organization of a header counts for messages that name none.
      const ids = isInHeader ? [] : inMessage.filter(({ at }) => !at.includes("."));
      const isResourceForeign = places.some(({ at }) => at.startsWith("resource"));
      let body: unknown = isResourceForeign ? SAMPLE : { ...SAMPLE, resource: { organizationId: own.organizationId } };
      for (const { at, kind } of ids) body = placed(body, at.split("."), own[kind] ?? "");
      const headers: Record<string, string> = {};
      for (const { part, at, kind } of places) {
        if (part === "header") headers[at] = foreign[kind] ?? "";
        else body = placed(body, at.split("."), foreign[kind] ?? "");
      }
      return { method: "POST", path, body, headers };
    },
  };
}

/** What several messages require; members that a message lacks are ignored. */
const SAMPLE: JsonObject = {
  name: "N",
  roleKey: "r",
  displayName: "R",
  roles: ["ORG_OWNER"],
  roleKeys: ["evil-admin"],
};

/** The kind of object that a field refers to, by the procedure and the field; the first that matches. */
const KINDS: readonly (readonly [RegExp, string | undefined])[] = [
  [/ admins\b|entityId$|InstanceService/, undefined], // ignored; there is one instance
  [/AuthorizationService\S* (?:id|.*authorizationIds\.ids\.\*)$/, "userGrantId"],
  [/ApplicationKey (?:id|keyId)$/, "appKeyId"],
  [/AppService\S* id$|(?:\bapp|[aA]pplication)Id$/, "appId"],
  [/ProjectService\S* id$|[pP]rojectId(?:\.id)?$|inProjectIds\w*\.ids/, "projectId"],
  [/OrganizationService\S* id$|ResourceOwnerFilter\.id$|\bid(?:Filter|Query)\.id$/, "organizationId"],
  [/[oO]rg(?:anization)?Id(?:Filter)?(?:\.\w+)?$|resourceOwner$/, "organizationId"],
  [/projectGrantId(?:\.id)?$/, "projectGrantId"],
  [/[uU]serIds?(?:Filter)?(?:\.ids?)?(?:\.\*)?$|aggregateId$/, "userId"],
  [/[lL]oginName$/, "loginName"],
  [/clientId$/, "clientId"],
  [/ domain$|domainFilter\.domain$|domainNameFilter\.name$/, "domain"],
];
const looksLikeReference = (at: string) => /(?:\b|I)ds?(?:\.\*)?$/.test(at);

function kindOfField(path: string, at: string): string | undefined {
  const known = KINDS.find(([pattern]) => pattern.test(`${path} ${at}`));
  if (!known && looksLikeReference(at)) throw new Error(`${path}: say what ${at} names (hostile-messages.ts)`);
  return known?.[1];
}

/** The paths to all texts of a message: `filters.*.userId.id`. */
function textsIn({ fields, typeName }: DescMessage, above = "", within: readonly string[] = []): string[] {
  if (within.includes(typeName) || typeName.startsWith("google.")) return [];
  return fields.flatMap((field) => {
    const at = above + field.jsonName + (field.fieldKind === "list" ? ".*" : "");
    if (field.fieldKind !== "map" && field.message) return textsIn(field.message, `${at}.`, [...within, typeName]);
    const isText =
      (field.fieldKind === "scalar" && field.scalar === 9) || (field.fieldKind === "list" && field.scalar === 9);
    return isText ? [at] : [];
  });
}
