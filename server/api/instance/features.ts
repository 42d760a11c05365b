/** The feature API (rule API-9) and the instance's security settings. */
import { z } from "zod";
import { deleteFeatures, type FeatureLevel, getFeatures, putFeatures } from "../../access/features";
import { getSecuritySettings, putSecuritySettings } from "../../access/security-settings";
import { FEATURE_FLAGS, INSTANCE_FEATURES } from "../../directory/features";
import { documentHosts, strict } from "../../directory/fields";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { answered, detailsAnswer } from "../operation/answers";
import { type Operation, type OperationScope, operation } from "../operation/operation";
import { details } from "../operation/schemas";

const source = z
  .enum(["SOURCE_INSTANCE", "SOURCE_SYSTEM"])
  .optional()
  .meta({ description: "Left out for a built-in value" });
const flag = z.object({ enabled: z.boolean(), source });
const withEffect: readonly string[] = INSTANCE_FEATURES;
/** A member for each flag. Flags with an effect are described in docs/api-fields.json. */
const forEachFlag = <Schema extends z.ZodType>(schema: Schema) =>
  Object.fromEntries(
    FEATURE_FLAGS.map((name) => [
      name,
      withEffect.includes(name) ? schema : schema.meta({ description: "A flag of ZITADEL, without an effect here" }),
    ]),
  );
const NOT_REQUIRED = { description: "`false`: apps choose a login of their own" };
const features = z
  .object({
    details: details.optional(),
    ...forEachFlag(flag.optional()),
    improvedPerformance: z
      .object({ executionPaths: z.array(z.string()).meta({ description: "Empty" }), source })
      .optional()
      .meta({ description: "Queries of ZITADEL that have a faster form; there are none to choose here" }),
    loginV2: z.object({ required: z.boolean().meta(NOT_REQUIRED), baseUri: z.string().optional(), source }).optional(),
  })
  .meta({ id: "Features" });

/** Features of ZITADEL that are more than a flag, as they are here. */
const FIXED_FEATURES = { improvedPerformance: { executionPaths: [] as string[] }, loginV2: { required: false } };
const flags = strict({
  ...forEachFlag(z.boolean().nullish()),
  loginV2: strict({
    required: z.literal(false).nullish().meta(NOT_REQUIRED),
    baseUri: z.literal("").nullish(),
  })
    .nullish()
    .meta({ description: "An app chooses a login of its own with `loginVersion`; the instance cannot require one" }),
});

/** Not strict: clients send further parameters, which are ignored. */
const inheritance = z.object({
  inheritance: z.string().optional().meta({ description: "`true`: also what is inherited" }),
});

const refuseFlags = ({ issues: [issue] }: z.ZodError, sentAs: ReadonlyMap<string, string>): ApiError => {
  const flag = issue?.path[0];
  if (flag === undefined) return invalidArgument("request.not_an_object", "Send the features as a JSON object.");
  const field = sentAs.get(String(flag)) ?? String(flag);
  if (flag === "loginV2") {
    const member = [field, ...(issue?.path.slice(1) ?? [])].join(".");
    return invalidArgument(
      "feature.fixed",
      "The instance cannot require a login of its own. Apps choose one with loginVersion.",
      { field: member },
    );
  }
  return invalidArgument("feature.not_boolean", "Must be true or false.", { field, reason: reason("boolean") });
};

const tag = "Features";
const enableImpersonation = z.boolean();
const oauthMetadata = z.boolean();
const requirePushedAuthorizationRequests = z.boolean();
const dynamicClientRegistration = z.object({ enabled: z.boolean(), allowUnauthenticated: z.boolean() });
const clientIdMetadataDocuments = z.object({
  enabled: z.boolean(),
  allowedHosts: z.array(z.string()),
  deniedHosts: z.array(z.string()),
});
/** Other sites can never embed the pages in frames (attack: clickjacking). */
const NO_FRAMING = false as const;
const securityBody = strict({
  enableImpersonation: z.boolean().nullish(),
  oauthMetadata: z.boolean().nullish(),
  requirePushedAuthorizationRequests: z.boolean().nullish(),
  dynamicClientRegistration: strict({
    enabled: z.boolean().nullish(),
    allowUnauthenticated: z.boolean().nullish(),
  }).nullish(),
  clientIdMetadataDocuments: strict({
    enabled: z.boolean().nullish(),
    allowedHosts: documentHosts.nullish(),
    deniedHosts: documentHosts.nullish(),
  }).nullish(),
  embeddedIframe: strict({
    enabled: z.boolean().nullish(),
    allowedOrigins: z.array(z.string()).nullish(),
  }).nullish(),
  enableIframeEmbedding: z.boolean().nullish(),
  allowedOrigins: z.array(z.string()).nullish(),
});
const SECURITY_SETTERS = [
  ["SetSecurityPolicy", "/v2/policies/security"],
  ["SetSecuritySettings", "/v2/settings/security"],
  ["SetInstanceSecurityPolicy", "/admin/v1/policies/security"],
] as const;
const READ_SECURITY = { tag, scope: { level: "instance", permission: "iam.policy.read" } } as const;

const LEVELS: readonly {
  level: FeatureLevel;
  ids: { get: string; set: string; reset: string };
  path: string;
  scope: (does: "write" | "delete") => OperationScope;
}[] = [
  {
    level: "system",
    ids: { get: "GetSystemFeatures", set: "SetSystemFeatures", reset: "ResetSystemFeatures" },
    path: "/v2/features/system",
    scope: (does) => ({ level: "instance", permission: `system.feature.${does}` }),
  },
  {
    level: "instance",
    ids: { get: "GetInstanceFeatures", set: "SetInstanceFeatures", reset: "ResetInstanceFeatures" },
    path: "/v2/features/instance",
    scope: (does) => ({ level: "instance", permission: `iam.feature.${does}` }),
  },
  {
    level: "organization",
    ids: { get: "GetOrganizationFeatures", set: "SetOrganizationFeatures", reset: "ResetOrganizationFeatures" },
    path: "/v2/features/organization/:id",
    scope: (does) => ({
      level: "owner",
      permission: `org.feature.${does}`,
      ownerOf: async (_, { id }) => id,
    }),
  },
  {
    level: "user",
    ids: { get: "GetUserFeatures", set: "SetUserFeatures", reset: "ResetUserFeatures" },
    path: "/v2/features/user/:id",
    scope: (does) => ({ level: "organization", permission: `user.feature.${does}`, target: async (_, { id }) => id }),
  },
];

export const featureOperations: readonly Operation[] = [
  ...LEVELS.flatMap(({ level, ids, path, scope }) => [
    operation(ids.get, `GET ${path}`, {
      tag,
      aliases: [path.replace("/v2/", "/v2beta/")],
      summary: `Read the features ${level === "instance" || level === "system" ? `of the ${level}` : `as the ${level} has them`}`,
      scope: { level: "caller" },
      query: inheritance,
      answer: features,
      async handle(ctx, { query }) {
        const isWhole = query.inheritance === "true";
        return { ...(isWhole && FIXED_FEATURES), ...(await getFeatures(ctx, level, isWhole)) };
      },
    }),
    operation(ids.set, `PUT ${path}`, {
      tag,
      aliases: [path.replace("/v2/", "/v2beta/")],
      summary: `Switch features ${level === "instance" ? "on or off" : `of the ${level} on or off, which inherits them`}`,
      description:
        "Flags that are left out are not changed. Only `oidcTokenExchange` and `zitadelCompatibility` have an effect; the other flags are only stored and returned.",
      scope: scope("write"),
      body: flags,
      refuseBody: refuseFlags,
      handle: (ctx, { body: { loginV2: _, ...given } }) =>
        answered(putFeatures(ctx, level, given), (result) => ({ details: result })),
    }),
    operation(ids.reset, `DELETE ${path}`, {
      tag,
      aliases: [path.replace("/v2/", "/v2beta/")],
      summary: `Reset the features of the ${level} to the inherited ones`,
      scope: scope("delete"),
      handle: (ctx) => answered(deleteFeatures(ctx, level), (result) => ({ details: result })),
    }),
  ]),
  operation("GetSecuritySettings", "GET /v2/settings/security", {
    ...READ_SECURITY,
    summary: "Read the security settings",
    answer: z.object({
      details: details.optional(),
      settings: z
        .object({
          enableImpersonation,
          oauthMetadata,
          requirePushedAuthorizationRequests,
          dynamicClientRegistration,
          clientIdMetadataDocuments,
          embeddedIframe: z.object({ enabled: z.literal(NO_FRAMING), allowedOrigins: z.array(z.string()).length(0) }),
        })
        .meta({ id: "SecuritySettings" }),
    }),
    async handle(ctx) {
      const { settings, ...rest } = await getSecuritySettings(ctx);
      return { ...rest, settings: { ...settings, embeddedIframe: { enabled: NO_FRAMING, allowedOrigins: [] } } };
    },
  }),
  operation("GetSecurityPolicy", "GET /admin/v1/policies/security", {
    ...READ_SECURITY,
    summary: "Read the security settings, as version 1 shows them",
    answer: z.object({
      policy: z
        .object({
          details: details.optional(),
          enableImpersonation,
          oauthMetadata,
          requirePushedAuthorizationRequests,
          dynamicClientRegistration,
          clientIdMetadataDocuments,
          enableIframeEmbedding: z.literal(NO_FRAMING),
          allowedOrigins: z.array(z.string()).length(0),
        })
        .meta({ id: "SecurityPolicy" }),
    }),
    async handle(ctx) {
      const { settings, ...rest } = await getSecuritySettings(ctx);
      return { policy: { ...rest, ...settings, enableIframeEmbedding: NO_FRAMING, allowedOrigins: [] } };
    },
  }),
  ...SECURITY_SETTERS.map(([id, path]) =>
    operation(id, `PUT ${path}`, {
      tag,
      summary: "Replace the security settings",
      scope: { level: "instance", permission: "iam.policy.write" },
      body: securityBody,
      handle: async (ctx, { body }) => detailsAnswer(await putSecuritySettings(ctx, body)),
    }),
  ),
];
