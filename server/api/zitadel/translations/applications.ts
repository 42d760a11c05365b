/** The application services: `application.v2`, and its beta `app.v2beta` with other names. */
import type { JsonObject } from "@bufbuild/protobuf";
import type { Context } from "../../../context";
import {
  dated,
  filterValue,
  headOf,
  idFilterAs,
  inServices,
  type Located,
  listTranslation,
  located,
  type MessageTranslation,
  namesScope,
  sentOnly,
  stringIn,
  textFilter,
} from "./translation";

const APPS = "/management/v1/projects/{projectId}/apps";
const APP = `${APPS}/{appId}` as const;

const idOf = ({ applicationId, appId, id }: JsonObject) => stringIn(applicationId ?? appId ?? id);
const inProject = (ctx: Context, json: JsonObject) => located(ctx, "project", stringIn(json.projectId));
async function locate(ctx: Context, json: JsonObject): Promise<Located> {
  const { ownerId, projectId = "none" } = await located(ctx, "app", idOf(json));
  // The project that the message names decides, so that an app of others is answered like one that is nowhere.
  return { ownerId, projectId: stringIn(json.projectId) || projectId, appId: idOf(json) };
}

/** Settings that have other names in version 2, or none here. */
function settingsOf(config: JsonObject): JsonObject {
  const { applicationType, developmentMode, ...rest } = config;
  return sentOnly({
    ...rest,
    appType: applicationType ?? rest.appType,
    devMode: developmentMode ?? rest.devMode,
    responseTypes: rest.responseTypes,
  });
}

type Kind = "oidc" | "api" | "saml";
/** The settings in a request, under the names of both versions; undefined if there are none. */
function configIn(json: JsonObject): { kind: Kind; config: JsonObject } | undefined {
  for (const kind of ["oidc", "api", "saml"] as const) {
    const config = json[`${kind}Configuration`] ?? json[`${kind}Request`] ?? json[`${kind}ConfigurationRequest`];
    if (config !== undefined) return { kind, config: config as JsonObject };
  }
  return undefined;
}
/** The place of the operation; none for SAML, and for an app of no kind. */
const placeOf = (json: JsonObject) => ["oidc", "api"].indexOf(configIn(json)?.kind ?? "");

const READ_ONLY = ["clientId", "allowedOrigins", "secrets", "noneCompliant", "complianceProblems", "jwks"];
const NO_SAML = ["samlConfiguration", "samlRequest", "samlConfigurationRequest"];
const IGNORED = NO_SAML;

const created = (json: JsonObject): object => {
  const { clientId, clientSecret, noneCompliant, complianceProblems } = json;
  const oidc = { clientId, clientSecret, noneCompliant, nonCompliant: noneCompliant, complianceProblems };
  const isOidc = complianceProblems !== undefined;
  const given = isOidc ? { oidcConfiguration: oidc, oidcResponse: oidc } : apiAnswer({ clientId, clientSecret });
  return { ...dated("creationDate")(json), applicationId: json.appId, ...given };
};
const apiAnswer = (api: object) => ({ apiConfiguration: api, apiResponse: api });

function applicationOf(row: JsonObject): object {
  const oidc = row.oidcConfig as JsonObject | undefined;
  const config = oidc && {
    ...oidc,
    applicationType: oidc.appType,
    developmentMode: oidc.devMode,
    nonCompliant: oidc.noneCompliant,
  };
  return {
    id: row.id,
    applicationId: row.id,
    projectId: row.projectId,
    ...headOf(row),
    // The enum of version 2 has another prefix.
    state: row.state,
    name: row.name,
    oidcConfig: config,
    oidcConfiguration: config,
    apiConfig: row.apiConfig,
    apiConfiguration: row.apiConfig,
  };
}
const inVersion2 = (application: object): object => {
  const { state, ...rest } = application as JsonObject;
  return { ...rest, state: String(state).replace(/^APP_/, "APPLICATION_") };
};
const empty = (member: string) => [`${member}.samlConfiguration`];

const change = (at: MessageTranslation["at"], date: string): MessageTranslation => ({
  at,
  locate,
  request: () => ({}),
  answer: dated(date),
});

const secret: MessageTranslation = {
  at: [`POST ${APP}/oidc_config/_generate_client_secret`, `POST ${APP}/api_config/_generate_client_secret`],
  locate,
  reads: (json) => ({ at: `GET ${APP}`, json: { appId: idOf(json) } }),
  which: (_, read) => ((read as { app?: JsonObject }).app?.apiConfig === undefined ? 0 : 1),
  // The secret before ends at once, as it does there.
  request: () => ({ keepOthers: false }),
  answer: dated("creationDate"),
};

const KEY = `${APP}/keys/{keyId}` as const;
const keyIdOf = ({ keyId, id }: JsonObject) => stringIn(keyId ?? id);
/** What a search for keys names, in both versions. */
function keysOf(json: JsonObject): JsonObject {
  const named = (member: string) => json[member] ?? filterValue(json, `${member}Filter`);
  const [applicationId, projectId, organizationId] = ["applicationId", "projectId", "organizationId"].map(named);
  return sentOnly({ applicationId, projectId, organizationId });
}
async function locateKeys(ctx: Context, asked: JsonObject): Promise<Located> {
  const found = await locate(ctx, asked);
  if (asked.organizationId === undefined) return found;
  return { ...found, ownerId: undefined, organizationId: stringIn(asked.organizationId) };
}
const keys = listTranslation(
  "keys",
  { applicationIdFilter: namesScope, projectIdFilter: namesScope, organizationIdFilter: namesScope },
  (row, _, { appId, projectId, ownerId, organizationId = ownerId }) => ({
    ...row,
    keyId: row.id,
    applicationId: appId,
    projectId,
    organizationId,
  }),
);
const locateKey = async (ctx: Context, json: JsonObject): Promise<Located> => ({
  projectId: "none",
  appId: "none",
  ...(json.applicationId ? await locate(ctx, json) : await located(ctx, "appKey", keyIdOf(json))),
  ...(json.organizationId ? { ownerId: undefined, organizationId: stringIn(json.organizationId) } : {}),
  keyId: keyIdOf(json),
});

const only = (kind: string) => (value: unknown) =>
  value === true ? { typeQuery: { type: `APPLICATION_TYPE_${kind}` } } : undefined;
const listFilters = {
  nameFilter: textFilter("nameQuery", "name"),
  stateFilter: (value: unknown) => ({ stateQuery: { state: String(value).replace("APPLICATION_", "APP_") } }),
  clientIdFilter: idFilterAs("clientIdQuery", "clientId"),
  projectIdFilter: namesScope,
  typeFilter: (value: unknown) => ({ typeQuery: { type: value as string } }),
  oidcAppOnly: only("OIDC"),
  apiAppOnly: only("API"),
};
const list = (item: (row: JsonObject) => object) => listTranslation("applications", listFilters, item);

const shared: Record<string, MessageTranslation> = {
  CreateApplication: {
    at: [`POST ${APPS}/oidc`, `POST ${APPS}/api`],
    which: placeOf,
    locate: inProject,
    request(json) {
      const { config = {} } = configIn(json) ?? {};
      return sentOnly({ name: json.name, appId: idOf(json) || undefined, ...settingsOf(config) });
    },
    answer: created,
    ignored: IGNORED,
  },
  UpdateApplication: {
    at: [`PUT ${APP}/oidc_config`, `PUT ${APP}/api_config`, `PUT ${APP}`],
    which: (json) => (configIn(json) ? placeOf(json) : 2),
    locate,
    // Updates here replace all settings, so those that are left out are sent as they are.
    reads: (json) => (configIn(json) ? { at: `GET ${APP}`, json: { appId: idOf(json) } } : undefined),
    request(json, read) {
      const { kind, config } = configIn(json) ?? {};
      const name = sentOnly({ name: json.name });
      if (kind === undefined || config === undefined) return name;
      const stored = ((read as { app?: JsonObject }).app?.[`${kind}Config`] ?? {}) as JsonObject;
      const kept = Object.entries(stored).filter(([member]) => !READ_ONLY.includes(member));
      return { ...Object.fromEntries(kept), ...settingsOf(config), ...name };
    },
    answer: dated("changeDate"),
    ignored: IGNORED,
  },
  DeleteApplication: change(`DELETE ${APP}`, "deletionDate"),
  DeactivateApplication: change(`POST ${APP}/_deactivate`, "deactivationDate"),
  ReactivateApplication: change(`POST ${APP}/_reactivate`, "reactivationDate"),
  CreateApplicationKey: {
    at: `POST ${APP}/keys`,
    locate,
    request: ({ expirationDate }) => sentOnly({ type: "KEY_TYPE_JSON", expirationDate }),
    answer: (json) => ({ ...dated("creationDate")(json), keyId: json.id }),
  },
  DeleteApplicationKey: { at: `DELETE ${KEY}`, locate: locateKey, request: () => ({}), answer: dated("deletionDate") },
  GetApplicationKey: {
    at: `GET ${KEY}`,
    locate: locateKey,
    request: () => ({}),
    answer: ({ key }) => ({ ...(key as JsonObject), keyId: (key as JsonObject).id }),
  },
  ListApplicationKeys: {
    at: `POST ${APP}/keys/_search`,
    locate: (ctx, json) => locateKeys(ctx, keysOf(json)),
    ...keys,
    request: ({ applicationId: _, projectId: __, organizationId: ___, ...rest }) => keys.request(rest),
    ignored: [],
    empty: [],
  },
};

export const applicationTranslations = {
  ...inServices(["application.v2.ApplicationService", "app.v2beta.AppService"], shared),
  ...inServices(["application.v2.ApplicationService"], {
    GenerateClientSecret: secret,
    GetApplication: {
      at: `GET ${APP}`,
      locate,
      request: () => ({}),
      answer: ({ app }) => ({ application: inVersion2(applicationOf(app as JsonObject)) }),
      empty: empty("application"),
    },
    ListApplications: {
      at: [`POST ${APPS}/_search`, "POST /management/v1/apps/_search"],
      which: (json) => (filterValue(json, "projectIdFilter") === undefined ? 1 : 0),
      async locate(ctx, json) {
        const projectId = filterValue(json, "projectIdFilter");
        return projectId === undefined ? {} : { projectId, ...(await located(ctx, "project", projectId)) };
      },
      ...list((row) => inVersion2(applicationOf(row))),
      empty: empty("applications"),
    },
  }),
  ...inServices(["app.v2beta.AppService"], {
    RegenerateClientSecret: secret,
    GetApplication: {
      at: `GET ${APP}`,
      locate,
      request: () => ({}),
      answer: ({ app }) => ({ app: applicationOf(app as JsonObject) }),
      empty: ["app.samlConfig"],
    },
    ListApplications: {
      at: `POST ${APPS}/_search`,
      locate: inProject,
      ...list(applicationOf),
      empty: ["applications.samlConfig"],
    },
  }),
};
