// All settings of an app that users sign in to. The operation replaces all of them, so those without a field are sent
// unchanged.
import { useTranslations } from "next-intl";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import type { Verdict } from "./address-list";
import { type App, appParameters, type OidcConfig, redirectRules } from "./app";
import { reviewOf } from "./review";
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
const KEPT = [
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
  const asItStands = Object.fromEntries(Object.entries(settings).filter(([name]) => KEPT.includes(name)));
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
          label: t("apps.redirectUris"),
          hint: t("apps.redirectUrisHint"),
          rules: redirectRules(settings),
          verdicts,
        },
        {
          as: "addresses",
          name: "postLogoutRedirectUris",
          label: t("apps.postLogoutUris"),
          hint: t("apps.postLogoutRedirectUrisHint"),
        },
        {
          as: "url",
          name: "initiateLoginUri",
          label: t("apps.initiateLoginUri"),
          hint: t("apps.initiateLoginUriHint"),
        },
        {
          as: "address",
          name: "loginVersion.loginV2.baseUri",
          label: t("apps.ownLogin"),
          hint: t("apps.ownLoginHint"),
          value: settings.loginVersion?.loginV2?.baseUri,
        },
        {
          as: "url",
          name: "backChannelLogoutUri",
          label: t("apps.backChannelLogoutUri"),
          hint: t("apps.backChannelLogoutUriHint"),
        },
        {
          as: "url",
          name: "frontChannelLogoutUri",
          label: t("apps.frontChannelLogoutUri"),
          hint: t("apps.frontChannelLogoutUriHint"),
        },
        {
          as: "switch",
          name: "frontChannelLogoutSessionRequired",
          label: t("apps.frontChannelSession"),
          hint: t("apps.frontChannelSessionHint"),
        },
        {
          as: "addresses",
          name: "additionalOrigins",
          label: t("apps.additionalOrigins"),
          hint: t("apps.additionalOriginsHint"),
        },
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
          label: t("apps.defaultMaxAge"),
          hint: t("apps.defaultMaxAgeHint"),
          usual: "1h",
          absent: t("apps.anyAge"),
          min: 0,
        },
        {
          as: "switch",
          name: "requireAuthTime",
          label: t("apps.requireAuthTime"),
          hint: t("apps.requireAuthTimeHint"),
        },
      ],
    },
    {
      title: t("apps.by.group.tokens"),
      fields: [
        {
          as: "choice",
          name: "accessTokenType",
          label: t("apps.accessTokenType"),
          hint: t("apps.accessTokenTypeHint"),
          options: named(TOKEN_TYPES),
        },
        {
          as: "choice",
          name: "accessTokenJwtType",
          label: t("apps.accessTokenJwtType"),
          hint: t("apps.accessTokenJwtTypeHint"),
          options: literal(JWT_TYPES),
        },
        ...lifetimes.map(([name, label, usual]) => ({ as: "lifetime", name, label, usual }) as const),
        {
          as: "choice",
          name: "idTokenSignedResponseAlg",
          label: t("apps.idTokenAlgorithm"),
          options: literal(ID_TOKEN_ALGORITHMS),
        },
        {
          as: "switch",
          name: "idTokenUserinfoAssertion",
          label: t("apps.userInfoInsideIdToken"),
          hint: t("apps.userInfoInsideIdTokenHint"),
        },
        { as: "switch", name: "accessTokenRoleAssertion", label: t("apps.rolesInAccessToken") },
        { as: "switch", name: "idTokenRoleAssertion", label: t("apps.rolesInIdToken") },
        {
          as: "choice",
          name: "subjectType",
          label: t("apps.subjectType"),
          hint: t("apps.subjectTypeHint"),
          options: named(SUBJECT_TYPES),
        },
        {
          as: "url",
          name: "sectorIdentifierUri",
          label: t("apps.sectorIdentifierUri"),
          hint: t("apps.sectorIdentifierUriHint"),
        },
      ],
    },
    {
      title: t("apps.by.group.security"),
      fields: [
        {
          as: "choice",
          name: "allowedOrganizations",
          label: t("apps.allowedOrganizations"),
          hint: t("apps.allowedOrganizationsHint"),
          options: named(ORGANIZATIONS),
        },
        { as: "switch", name: "isThirdParty", label: t("apps.thirdParty"), hint: t("apps.thirdPartyHint") },
        {
          as: "choice",
          name: "profile",
          label: t("apps.profile"),
          hint: t("apps.profileHint"),
          options: named(PROFILES),
        },
        {
          as: "switch",
          name: "requirePushedAuthorizationRequests",
          label: t("apps.requirePushedRequests"),
          hint: t("apps.requirePushedRequestsHint"),
        },
        {
          as: "switch",
          name: "requireSignedRequestObject",
          label: t("apps.requireSignedRequests"),
          hint: t("apps.requireSignedRequestsHint"),
        },
        { as: "switch", name: "dpopBoundAccessTokens", label: t("apps.dpopBound"), hint: t("apps.dpopBoundHint") },
        { as: "switch", name: "dpopRequireNonce", label: t("apps.dpopNonce"), hint: t("apps.dpopNonceHint") },
        {
          as: "switch",
          name: "tlsClientCertificateBoundAccessTokens",
          label: t("apps.certificateBound"),
          hint: t("apps.certificateBoundHint"),
        },
        { as: "addresses", name: "requestUris", label: t("apps.requestUris"), hint: t("apps.requestUrisHint") },
        { as: "switch", name: "devMode", label: t("apps.devMode"), hint: t("apps.devModeHint") },
      ],
    },
  ];
  return (
    <section className="card" aria-labelledby="settings">
      <h2 id="settings">{t("apps.settings")}</h2>
      <ActionForm
        id="app-settings"
        submit={t("apps.save")}
        operation={UpdateOIDCAppConfig}
        at={appParameters(app)}
        body={asItStands}
        done={t("apps.saved")}
        isReadOnly={isReadOnly}
        review={{
          ...reviewOf(app),
          effects: {
            changed: {
              authMethodType: t("apps.effect.authMethod"),
              accessTokenType: newTokens,
              subjectType: newSubjects,
              ...(isPairwise && { sectorIdentifierUri: newSubjects }),
              ...(isPairwise && !settings.sectorIdentifierUri && { redirectUris: newSubjects }),
              ...Object.fromEntries(lifetimes.map(([name]) => [name, newTokens])),
            },
            taken: {
              redirectUris: t("apps.effect.redirectUris"),
              grantTypes: t("apps.effect.grantTypes"),
            },
          },
        }}
      >
        <fieldset className="plain-fieldset" disabled={isReadOnly}>
          {groups.map(({ title, fields }) => (
            <SettingFields key={title} title={title} fields={fields} settings={settings} />
          ))}
        </fieldset>
      </ActionForm>
    </section>
  );
}
