// All settings of an app that users sign in to. The operation replaces all of them, so those without a field are sent
// unchanged.
import { useTranslations } from "next-intl";
import { withHint } from "../forms/with-hint";
import type { Verdict } from "./address-list";
import { type App, type OidcConfig, redirectRules } from "./app";
import { AppForm } from "./app-form";
import { type SettingField, SettingFields } from "./setting-fields";

const RESPONSE_TYPES = [
  "OIDC_RESPONSE_TYPE_CODE",
  "OIDC_RESPONSE_TYPE_CODE_ID_TOKEN",
  "OIDC_RESPONSE_TYPE_ID_TOKEN",
  "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN",
  "OIDC_RESPONSE_TYPE_CODE_TOKEN",
  "OIDC_RESPONSE_TYPE_CODE_ID_TOKEN_TOKEN",
];
const AUTH_METHODS = [
  "OIDC_AUTH_METHOD_TYPE_BASIC",
  "OIDC_AUTH_METHOD_TYPE_POST",
  "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
  "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH",
  "OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH",
  "OIDC_AUTH_METHOD_TYPE_NONE",
];
const APP_TYPES = ["OIDC_APP_TYPE_WEB", "OIDC_APP_TYPE_USER_AGENT", "OIDC_APP_TYPE_NATIVE"];
const TOKEN_TYPES = ["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"];
const SUBJECT_TYPES = ["SUBJECT_TYPE_PUBLIC", "SUBJECT_TYPE_PAIRWISE"];
const PROFILES = ["PROFILE_NONE", "PROFILE_FAPI2", "PROFILE_FAPI2_MESSAGE_SIGNING"];
const ORGANIZATIONS = ["APP_ORGANIZATIONS_OWN_AND_GRANTED", "APP_ORGANIZATIONS_ALL"];

const ID_TOKEN_ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"];
const JWT_TYPES = ["at+jwt", "JWT"];

/** The settings without a field. An empty field would unset its setting. */
const KEPT: readonly string[] = [
  "connectedAuthorizationServers",
  "version",
  "skipNativeAppSuccessPage",
  "clockSkew",
  "legacyAssertionAudience",
  "allowAssertionReuse",
  "jwksUri",
  "jwks",
  "tlsClientAuthSubjectDn",
  "tlsClientAuthSanDns",
  "tlsClientAuthSanUri",
  "tlsClientAuthSanIp",
  "tlsClientAuthSanEmail",
  "refreshGrace",
  "authorizationSignedResponseAlg",
  "userinfoSignedResponseAlg",
  "introspectionSignedResponseAlg",
];

export interface OidcSettingsFormProps {
  app: App;
  settings: OidcConfig;
  /** The grant types that an app can be registered for. */
  grantTypes: readonly string[];
  /** The results of the rules for its redirect addresses. */
  verdicts: Readonly<Record<string, Verdict>>;
  isReadOnly: boolean;
}

export function OidcSettingsForm({ app, settings, grantTypes, verdicts, isReadOnly }: OidcSettingsFormProps) {
  const t = useTranslations();
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: t(`apps.by.setting.${value}`) }));
  const literal = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const newTokens = t("apps.effect.newTokens");
  const newSubjects = t("apps.effect.subjects");
  const isPairwise = settings.subjectType === "SUBJECT_TYPE_PAIRWISE";
  const lifetimes = [
    ["accessTokenLifetime", t("apps.accessTokenLifetime"), "1h"],
    ["idTokenLifetime", t("apps.idTokenLifetime"), "1h"],
    ["refreshTokenIdleLifetime", t("apps.refreshTokenIdleLifetime"), "30d"],
    ["refreshTokenLifetime", t("apps.refreshTokenLifetime"), "90d"],
  ] as const;
  const groups: readonly { title: string; fields: readonly SettingField[] }[] = [
    {
      title: t("apps.by.group.redirects"),
      fields: [
        {
          as: "addresses",
          name: "redirectUris",
          ...withHint(t, "apps.redirectUris"),
          rules: redirectRules(settings),
          verdicts,
        },
        {
          as: "addresses",
          name: "postLogoutRedirectUris",
          label: t("apps.postLogoutUris"),
          hint: t("apps.postLogoutRedirectUrisHint"),
        },
        { as: "url", name: "initiateLoginUri", ...withHint(t, "apps.initiateLoginUri") },
        {
          as: "address",
          name: "loginVersion.loginV2.baseUri",
          ...withHint(t, "apps.ownLogin"),
          value: settings.loginVersion?.loginV2?.baseUri,
        },
        { as: "url", name: "backChannelLogoutUri", ...withHint(t, "apps.backChannelLogoutUri") },
        { as: "url", name: "frontChannelLogoutUri", ...withHint(t, "apps.frontChannelLogoutUri") },
        { as: "switch", name: "frontChannelLogoutSessionRequired", ...withHint(t, "apps.frontChannelSession") },
        { as: "addresses", name: "additionalOrigins", ...withHint(t, "apps.additionalOrigins") },
      ],
    },
    {
      title: t("apps.by.group.authentication"),
      fields: [
        { as: "choice", name: "appType", label: t("apps.appType"), options: named(APP_TYPES) },
        { as: "choice", name: "authMethodType", label: t("apps.authMethod"), options: named(AUTH_METHODS) },
        { as: "checkboxes", name: "responseTypes", label: t("apps.responseTypes"), options: named(RESPONSE_TYPES) },
        { as: "checkboxes", name: "grantTypes", label: t("apps.grantTypes"), options: named(grantTypes) },
        {
          as: "lifetime",
          name: "defaultMaxAge",
          ...withHint(t, "apps.defaultMaxAge"),
          usual: "1h",
          absent: t("apps.anyAge"),
          min: 0,
        },
        { as: "switch", name: "requireAuthTime", ...withHint(t, "apps.requireAuthTime") },
      ],
    },
    {
      title: t("apps.by.group.tokens"),
      fields: [
        { as: "choice", name: "accessTokenType", ...withHint(t, "apps.accessTokenType"), options: named(TOKEN_TYPES) },
        {
          as: "choice",
          name: "accessTokenJwtType",
          ...withHint(t, "apps.accessTokenJwtType"),
          options: literal(JWT_TYPES),
        },
        ...lifetimes.map(([name, label, usual]) => ({ as: "lifetime", name, label, usual }) as const),
        {
          as: "choice",
          name: "idTokenSignedResponseAlg",
          label: t("apps.idTokenAlgorithm"),
          options: literal(ID_TOKEN_ALGORITHMS),
        },
        { as: "switch", name: "idTokenUserinfoAssertion", ...withHint(t, "apps.userInfoInsideIdToken") },
        { as: "switch", name: "accessTokenRoleAssertion", label: t("apps.rolesInAccessToken") },
        { as: "switch", name: "idTokenRoleAssertion", label: t("apps.rolesInIdToken") },
        { as: "choice", name: "subjectType", ...withHint(t, "apps.subjectType"), options: named(SUBJECT_TYPES) },
        { as: "url", name: "sectorIdentifierUri", ...withHint(t, "apps.sectorIdentifierUri") },
      ],
    },
    {
      title: t("apps.by.group.security"),
      fields: [
        {
          as: "choice",
          name: "allowedOrganizations",
          ...withHint(t, "apps.allowedOrganizations"),
          options: named(ORGANIZATIONS),
        },
        { as: "switch", name: "isThirdParty", ...withHint(t, "apps.thirdParty") },
        { as: "choice", name: "profile", ...withHint(t, "apps.profile"), options: named(PROFILES) },
        { as: "switch", name: "requirePushedAuthorizationRequests", ...withHint(t, "apps.requirePushedRequests") },
        { as: "switch", name: "requireSignedRequestObject", ...withHint(t, "apps.requireSignedRequests") },
        { as: "switch", name: "dpopBoundAccessTokens", ...withHint(t, "apps.dpopBound") },
        { as: "switch", name: "dpopRequireNonce", ...withHint(t, "apps.dpopNonce") },
        { as: "switch", name: "tlsClientCertificateBoundAccessTokens", ...withHint(t, "apps.certificateBound") },
        { as: "addresses", name: "requestUris", ...withHint(t, "apps.requestUris") },
        { as: "switch", name: "devMode", ...withHint(t, "apps.devMode") },
      ],
    },
  ];
  return (
    <section className="card" aria-labelledby="settings">
      <h2 id="settings">{t("apps.settings")}</h2>
      <AppForm
        id="app-settings"
        app={app}
        has={(name) => !KEPT.includes(name)}
        isReadOnly={isReadOnly}
        effects={{
          changed: {
            authMethodType: t("apps.effect.authMethod"),
            accessTokenType: newTokens,
            subjectType: newSubjects,
            ...(isPairwise && { sectorIdentifierUri: newSubjects }),
            ...(isPairwise && !settings.sectorIdentifierUri && { redirectUris: newSubjects }),
            ...Object.fromEntries(lifetimes.map(([name]) => [name, newTokens])),
          },
          taken: { redirectUris: t("apps.effect.redirectUris"), grantTypes: t("apps.effect.grantTypes") },
        }}
      >
        {groups.map(({ title, fields }) => (
          <SettingFields key={title} title={title} fields={fields} settings={settings} />
        ))}
      </AppForm>
    </section>
  );
}
