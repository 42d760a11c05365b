/** Procedures whose messages have another shape than the JSON of the operation. */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { zitadelTextsWithoutCounterpart } from "../../texts/pages/zitadel-texts";
import type { EventAnswer } from "../events/event-answers";

export interface MessageShape {
  request?(json: JsonObject): JsonObject;
  answer?(json: object): object;
  /** Fields of the request without a counterpart, which are ignored. */
  ignored: readonly string[];
  /** Fields of the answer without a counterpart. */
  empty: readonly string[];
}

/** The changes of an object, which are its events. @param id the field that names the object */
const changesOf = (type: string, id?: string): MessageShape => ({
  request(json) {
    const { limit, asc } = (json.query ?? {}) as JsonObject;
    const named: JsonObject = id === undefined ? {} : { aggregateId: json[id] ?? "" };
    return { query: { limit: limit ?? 0, asc: asc ?? false }, aggregateTypes: [type], ...named };
  },
  answer: (json) => ({
    result: (json as { result: readonly EventAnswer[] }).result.map((one) => ({
      changeDate: one.creationDate,
      eventType: { key: one.type },
      sequence: one.sequence,
      editorId: one.actor.id,
      editorDisplayName: one.actor.name,
      resourceOwnerId: one.aggregate.resourceOwner,
    })),
  }),
  ignored: ["query.sequence"],
  empty: ["result.eventType.localizedMessage", "result.editorPreferredLoginName", "result.editorAvatarUrl"],
});

/** A filter of metadata in the beta, whose methods have the names of version 1. */
function keyFilterOf(filter: JsonValue): JsonObject {
  const { key, method } = ((filter as JsonObject).keyQuery ?? {}) as JsonObject;
  const named: JsonObject = method === undefined ? {} : { method: String(method).replace("_QUERY_", "_FILTER_") };
  return { keyFilter: { key: key ?? "", ...named } };
}

/** The procedures of page texts: those without a counterpart are stored and returned, and appear on no page. */
const pageTexts = (service: string): Record<string, MessageShape> => {
  const unused = zitadelTextsWithoutCounterpart();
  return {
    [`${service}/SetCustomLoginText`]: { ignored: unused, empty: [] },
    [`${service}/GetCustomLoginTexts`]: { ignored: [], empty: [] },
    [`${service}/GetDefaultLoginTexts`]: { ignored: [], empty: unused.map((name) => `customText.${name}`) },
  };
};

const samlProvider: MessageShape = { ignored: ["signatureAlgorithm"], empty: [] };
const NOT_SHOWN = ["config.ldap.attributes.rootCa", "config.jwt", "config.saml.signatureAlgorithm"];
const shownProviders: MessageShape = {
  ignored: [],
  empty: ["idp", "result"].flatMap((member) => NOT_SHOWN.map((name) => `${member}.${name}`)),
};

/** The procedures of identity providers, which are the same at both levels. */
const identityProviders = (service: string): Record<string, MessageShape> => ({
  [`${service}/AddSAMLProvider`]: samlProvider,
  [`${service}/UpdateSAMLProvider`]: samlProvider,
  [`${service}/ListProviders`]: shownProviders,
  [`${service}/GetProviderByID`]: shownProviders,
});

const SHAPES: Readonly<Record<string, MessageShape>> = {
  "zitadel.org.v2beta.OrganizationService/ListOrganizationMetadata": {
    request: ({ filter, ...rest }) =>
      filter === undefined ? rest : { ...rest, filters: (filter as JsonObject[]).map(keyFilterOf) },
    ignored: [],
    empty: [],
  },
  "zitadel.management.v1.ManagementService/ListOrgChanges": changesOf("organization"),
  "zitadel.management.v1.ManagementService/ListUserChanges": changesOf("user", "userId"),
  "zitadel.management.v1.ManagementService/ListProjectChanges": changesOf("project", "projectId"),
  "zitadel.management.v1.ManagementService/ListAppChanges": changesOf("app", "appId"),
  "zitadel.management.v1.ManagementService/GetHumanProfile": {
    answer(json) {
      const { user } = json as { user: { details: object; human?: { profile: object } } };
      return { details: user.details, profile: user.human?.profile };
    },
    ignored: [],
    empty: ["profile.avatarUrl"],
  },
  "zitadel.admin.v1.AdminService/ListEvents": {
    request({ limit, asc, editorUserId, resourceOwner, range, from, ...rest }) {
      const { since, until } = (range ?? {}) as JsonObject;
      const filter = { ...rest, actorId: editorUserId, organizationId: resourceOwner, from: since ?? from, to: until };
      const given = Object.entries(filter).filter(([, value]) => value !== undefined);
      return { ...(Object.fromEntries(given) as JsonObject), query: { limit: limit ?? 0, asc: asc ?? false } };
    },
    answer: (json) => ({ events: (json as { result: readonly EventAnswer[] }).result.map(zitadelEvent) }),
    ignored: ["sequence", "creationDate"],
    empty: ["events.type.localized", "events.aggregate.type.localized"],
  },
  "zitadel.admin.v1.AdminService/ListEventTypes": {
    answer: (json) => ({
      eventTypes: (json as { eventTypes: readonly string[] }).eventTypes.map((type) => ({ type })),
    }),
    ignored: [],
    empty: ["eventTypes.localized"],
  },
  "zitadel.admin.v1.AdminService/ListIAMMemberRoles": {
    answer: (json) => ({ roles: (json as { result: readonly string[] }).result }),
    ignored: [],
    empty: [],
  },
  ...pageTexts("zitadel.admin.v1.AdminService"),
  ...pageTexts("zitadel.management.v1.ManagementService"),
  ...identityProviders("zitadel.admin.v1.AdminService"),
  ...identityProviders("zitadel.management.v1.ManagementService"),
  "zitadel.idp.v2.IdentityProviderService/GetIDPByID": shownProviders,
};

export const messageShapeOf = (procedure: string): MessageShape | undefined => SHAPES[procedure];

function zitadelEvent({ actor, aggregate, sequence, creationDate, type, changes }: EventAnswer): object {
  return {
    editor: { userId: actor.id, displayName: actor.name, service: actor.kind === "service" ? actor.id : undefined },
    aggregate: { id: aggregate.id, type: { type: aggregate.type }, resourceOwner: aggregate.resourceOwner },
    sequence,
    creationDate,
    payload: Object.fromEntries(changes.map(({ field, to }) => [field, to])),
    type: { type },
  };
}
