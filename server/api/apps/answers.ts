/** Apps in responses, with all effective settings, including defaults. Secrets are never part of a response. */

import { z } from "zod";
import { appTrustAnswer, appTrustShape } from "../../directory/app/app-trust";
import { oidcClient } from "../../directory/app/client";
import { type ComplianceProblem, complianceProblems } from "../../directory/app/compliance";
import { hasKeys, type ListedApp, type ListedSecret } from "../../directory/app/list";
import { originsOf } from "../../directory/app/origins";
import {
  apiSettingsShape,
  certificateNames,
  keySetSchema,
  OIDC_DEFAULTS,
  type OidcSettings,
  oidcSettings,
  oidcSettingsShape,
} from "../../directory/app/settings";
import { toDetails } from "../../events/record";
import { details, timestamp } from "../operation/schemas";

export const APP_STATES = { active: "APP_STATE_ACTIVE", inactive: "APP_STATE_INACTIVE" } as const;
export const appState = z.enum(["APP_STATE_ACTIVE", "APP_STATE_INACTIVE"]);

const problem = z
  .object({
    key: z.string().meta({ example: "Application.OIDC.V1.NoRedirectUris" }),
    localizedMessage: z.string(),
  })
  .meta({ id: "ComplianceProblem" }) satisfies z.ZodType<ComplianceProblem>;

/** The warnings about an app. They do not prevent saving it. */
export const compliance = {
  noneCompliant: z.boolean().meta({ description: "Whether there are compliance problems" }),
  complianceProblems: z.array(problem),
};

const secrets = z.array(
  z
    .object({
      id: z.string(),
      creationDate: timestamp,
      lastUsedDate: timestamp.optional().meta({ description: "To the hour; left out if it was never used" }),
      expiresAt: timestamp.optional().meta({ description: "Left out if it does not expire" }),
    })
    .meta({ id: "AppSecret" }),
);

const {
  clockSkew,
  backChannelLogoutUri,
  frontChannelLogoutUri,
  initiateLoginUri,
  sectorIdentifierUri,
  loginVersion,
  skipNativeAppSuccessPage,
  defaultMaxAge,
  jwksUri,
  authorizationSignedResponseAlg,
  userinfoSignedResponseAlg,
  introspectionSignedResponseAlg,
  tlsClientAuthSubjectDn: _SubjectDn,
  tlsClientAuthSanDns: _SanDns,
  tlsClientAuthSanUri: _SanUri,
  tlsClientAuthSanIp: _SanIp,
  tlsClientAuthSanEmail: _SanEmail,
  ...always
} = oidcSettingsShape;
const addresses = {
  backChannelLogoutUri,
  frontChannelLogoutUri,
  initiateLoginUri,
  loginVersion,
  skipNativeAppSuccessPage,
  jwksUri,
  sectorIdentifierUri,
};
const signedResponses = { authorizationSignedResponseAlg, userinfoSignedResponseAlg, introspectionSignedResponseAlg };
const { accessTokenLifetime, idTokenLifetime, refreshTokenIdleLifetime, refreshTokenLifetime, refreshGrace, ...rest } =
  always;
const lifetimes = {
  accessTokenLifetime,
  idTokenLifetime,
  refreshTokenIdleLifetime,
  refreshTokenLifetime,
  refreshGrace,
};

const oidcConfig = z
  .object({
    clientId: z.string(),
    ...rest,
    clockSkew,
    ...appTrustShape,
    ...z.object({ ...addresses, defaultMaxAge, ...certificateNames, ...signedResponses, ...lifetimes }).partial().shape,
    allowedOrigins: z
      .array(z.string())
      .meta({ description: "The origins of the redirect URIs, and the additional ones" }),
    jwks: keySetSchema.optional(),
    secrets,
    ...compliance,
  })
  .meta({ id: "OidcConfig" });

const apiConfig = z
  .object({
    clientId: z.string(),
    ...apiSettingsShape,
    ...z.object(certificateNames).partial().shape,
    jwksUri: jwksUri.optional(),
    jwks: keySetSchema.optional(),
    secrets,
  })
  .meta({ id: "ApiConfig" });

export const app = z
  .object({
    id: z.string(),
    projectId: z.string(),
    projectName: z.string(),
    details,
    state: appState,
    name: z.string(),
    lastSignInDate: timestamp.optional().meta({
      description:
        "When a user last authenticated to sign in to the app, for example with a password or a passkey; reuse of an existing session does not count. Left out if no such attempt is stored (`SIGN_IN_ATTEMPT_RETENTION`)",
    }),
    oidcConfig: oidcConfig.optional(),
    apiConfig: apiConfig.optional(),
  })
  .meta({ id: "App" });

type App = z.input<typeof app>;

/** The defaults of all settings. */
const DEFAULTS = {
  ...OIDC_DEFAULTS,
  version: "OIDC_VERSION_1_0",
  accessTokenRoleAssertion: false,
  idTokenRoleAssertion: false,
  accessTokenJwtType: "at+jwt",
  profile: "PROFILE_NONE",
  isThirdParty: false,
  allowedOrganizations: "APP_ORGANIZATIONS_OWN_AND_GRANTED",
  clockSkew: "0s",
  additionalOrigins: [],
} as const satisfies OidcSettings;

export function complianceAnswer(settings: OidcSettings, hasKeys: boolean) {
  const problems = complianceProblems(settings, hasKeys);
  return { noneCompliant: problems.length > 0, complianceProblems: problems };
}

export function toApp(row: ListedApp): App {
  const { id, projectId, projectName, state, name, clientId, lastSignIn } = row;
  const signedIn = lastSignIn === null ? {} : { lastSignInDate: new Date(lastSignIn).toISOString() };
  const shown = { id, projectId, projectName, name, ...signedIn, state: APP_STATES[state], details: toDetails(row) };
  const jwks = row.jwks === null ? {} : { jwks: row.jwks as z.input<typeof keySetSchema> };
  const theirs = row.secrets.map(toSecret);
  if (row.kind === "api") {
    const stored = {
      authMethodType: "API_AUTH_METHOD_TYPE_BASIC",
      legacyAssertionAudience: false,
      allowAssertionReuse: false,
      introspectionSignedResponseAlg: "RS256",
    } as const;
    return { ...shown, apiConfig: { ...stored, ...(row.settings as object), clientId, ...jwks, secrets: theirs } };
  }
  const stored = oidcSettings.parse(row.settings);
  const { idTokenSigningAlgorithm: algorithm } = oidcClient(stored);
  const bothNames = { idTokenSignedResponseAlg: algorithm, idTokenSigningAlgorithm: algorithm };
  const settings = { ...DEFAULTS, ...stored, ...bothNames };
  const allowedOrigins = [...originsOf(settings)];
  const warnings = complianceAnswer(settings, hasKeys(row));
  return {
    ...shown,
    oidcConfig: {
      ...settings,
      ...appTrustAnswer(row),
      clientId,
      allowedOrigins,
      ...jwks,
      secrets: theirs,
      ...warnings,
    },
  };
}

function toSecret({ id, createdAt, usedAt, expiresAt }: ListedSecret) {
  return {
    id,
    creationDate: new Date(createdAt).toISOString(),
    ...(usedAt !== null && { lastUsedDate: new Date(usedAt).toISOString() }),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}
