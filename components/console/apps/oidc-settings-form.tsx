// All settings of an app that users sign in to. The operation replaces all of them, so those without a field are sent
// unchanged.
import { useTranslations } from "next-intl";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { CheckboxGroup, SelectField, SwitchField, TextField } from "../forms/fields";
import { AddressList, type Verdict } from "./address-list";
import { type App, appParameters, type OidcConfig, redirectRules } from "./app";
import { LifetimeField } from "./lifetime-field";
import { SecurityGroup } from "./oidc-security-group";
import { reviewOf } from "./review";
import { SettingGroup } from "./setting-group";

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

const ID_TOKEN_ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"];
const JWT_TYPES = ["at+jwt", "JWT"];

/** The settings without a field. An empty field would unset its setting. */
const KEPT = [
  "version",
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
  const rule = redirectRules(settings);
  const asItStands = Object.fromEntries(Object.entries(settings).filter(([name]) => KEPT.includes(name)));
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: t(`apps.by.setting.${value}`) }));
  const newTokens = t("apps.effect.newTokens");
  const lifetimes = [
    ["accessTokenLifetime", t("apps.accessTokenLifetime"), "1h"],
    ["idTokenLifetime", t("apps.idTokenLifetime"), "1h"],
    ["refreshTokenIdleLifetime", t("apps.refreshTokenIdleLifetime"), "30d"],
    ["refreshTokenLifetime", t("apps.refreshTokenLifetime"), "90d"],
  ] as const;
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
          <SettingGroup title={t("apps.by.group.redirects")}>
            <AddressList
              name="redirectUris"
              legend={t("apps.redirectUris")}
              hint={t("apps.redirectUrisHint")}
              addresses={settings.redirectUris}
              settings={rule}
              verdicts={verdicts}
            />
            <AddressList
              name="postLogoutRedirectUris"
              legend={t("apps.postLogoutUris")}
              hint={t("apps.postLogoutRedirectUrisHint")}
              addresses={settings.postLogoutRedirectUris}
            />
            <TextField
              name="initiateLoginUri"
              type="url"
              label={t("apps.initiateLoginUri")}
              hint={t("apps.initiateLoginUriHint")}
              value={settings.initiateLoginUri}
            />
            <TextField
              name="backChannelLogoutUri"
              type="url"
              label={t("apps.backChannelLogoutUri")}
              hint={t("apps.backChannelLogoutUriHint")}
              value={settings.backChannelLogoutUri}
            />
            <TextField
              name="frontChannelLogoutUri"
              type="url"
              label={t("apps.frontChannelLogoutUri")}
              hint={t("apps.frontChannelLogoutUriHint")}
              value={settings.frontChannelLogoutUri}
            />
            <SwitchField
              name="frontChannelLogoutSessionRequired"
              label={t("apps.frontChannelSession")}
              hint={t("apps.frontChannelSessionHint")}
              isOn={settings.frontChannelLogoutSessionRequired}
            />
            <AddressList
              name="additionalOrigins"
              legend={t("apps.additionalOrigins")}
              hint={t("apps.additionalOriginsHint")}
              addresses={settings.additionalOrigins}
            />
          </SettingGroup>
          <SettingGroup title={t("apps.by.group.authentication")}>
            <SelectField name="appType" label={t("apps.appType")} options={named(APP_TYPES)} value={settings.appType} />
            <SelectField
              name="authMethodType"
              label={t("apps.authMethod")}
              options={named(AUTH_METHODS)}
              value={settings.authMethodType}
            />
            <CheckboxGroup
              name="responseTypes"
              legend={t("apps.responseTypes")}
              options={named(RESPONSE_TYPES)}
              chosen={settings.responseTypes}
            />
            <CheckboxGroup
              name="grantTypes"
              legend={t("apps.grantTypes")}
              options={named(grantTypes)}
              chosen={settings.grantTypes}
            />
            <LifetimeField
              name="defaultMaxAge"
              label={t("apps.defaultMaxAge")}
              hint={t("apps.defaultMaxAgeHint")}
              value={settings.defaultMaxAge}
              usual="1h"
              absent={t("apps.anyAge")}
              min={0}
            />
            <SwitchField
              name="requireAuthTime"
              label={t("apps.requireAuthTime")}
              hint={t("apps.requireAuthTimeHint")}
              isOn={settings.requireAuthTime}
            />
          </SettingGroup>
          <SettingGroup title={t("apps.by.group.tokens")}>
            <SelectField
              name="accessTokenType"
              label={t("apps.accessTokenType")}
              hint={t("apps.accessTokenTypeHint")}
              options={named(TOKEN_TYPES)}
              value={settings.accessTokenType}
            />
            <SelectField
              name="accessTokenJwtType"
              label={t("apps.accessTokenJwtType")}
              hint={t("apps.accessTokenJwtTypeHint")}
              options={JWT_TYPES.map((type) => ({ value: type, label: type }))}
              value={settings.accessTokenJwtType}
            />
            {lifetimes.map(([name, label, usual]) => (
              <LifetimeField key={name} name={name} label={label} value={settings[name]} usual={usual} />
            ))}
            <SelectField
              name="idTokenSignedResponseAlg"
              label={t("apps.idTokenAlgorithm")}
              options={ID_TOKEN_ALGORITHMS.map((value) => ({ value, label: value }))}
              value={settings.idTokenSignedResponseAlg}
            />
            <SwitchField
              name="idTokenUserinfoAssertion"
              label={t("apps.userInfoInsideIdToken")}
              hint={t("apps.userInfoInsideIdTokenHint")}
              isOn={settings.idTokenUserinfoAssertion}
            />
            <SwitchField
              name="accessTokenRoleAssertion"
              label={t("apps.rolesInAccessToken")}
              isOn={settings.accessTokenRoleAssertion}
            />
            <SwitchField
              name="idTokenRoleAssertion"
              label={t("apps.rolesInIdToken")}
              isOn={settings.idTokenRoleAssertion}
            />
          </SettingGroup>
          <SecurityGroup settings={settings} />
        </fieldset>
      </ActionForm>
    </section>
  );
}
