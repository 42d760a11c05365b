// All settings of an app that users sign in to. The operation replaces all of them, so those without a field are sent
// unchanged.
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { CheckboxGroup, SelectField, SwitchField, TextField } from "../forms/fields";
import { AddressList, type Verdict } from "./address-list";
import { type App, appParameters, type OidcConfig, redirectRules } from "./app";
import { LifetimeField } from "./lifetime-field";
import { reviewOf } from "./review";

const RESPONSE_TYPES = ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"];
const AUTH_METHODS = [
  "OIDC_AUTH_METHOD_TYPE_BASIC",
  "OIDC_AUTH_METHOD_TYPE_POST",
  "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
  "OIDC_AUTH_METHOD_TYPE_NONE",
];
const APP_TYPES = ["OIDC_APP_TYPE_WEB", "OIDC_APP_TYPE_USER_AGENT", "OIDC_APP_TYPE_NATIVE"];
const TOKEN_TYPES = ["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"];

const PROFILES = ["PROFILE_NONE", "PROFILE_FAPI2", "PROFILE_FAPI2_MESSAGE_SIGNING"];
const ID_TOKEN_ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"];
const JWT_TYPES = ["at+jwt", "JWT"];
const ORGANIZATIONS = ["APP_ORGANIZATIONS_OWN_AND_GRANTED", "APP_ORGANIZATIONS_ALL"];

/** The settings without a field. An empty field would unset its setting. */
const KEPT = [
  "version",
  "clockSkew",
  "legacyAssertionAudience",
  "allowAssertionReuse",
  "jwksUri",
  "jwks",
  "refreshGrace",
  "authorizationSignedResponseAlg",
  "userinfoSignedResponseAlg",
  "introspectionSignedResponseAlg",
];

/** A titled part of the form, in two columns if there is room. */
function SettingGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="setting-group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

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
          <SettingGroup title={t("apps.by.group.security")}>
            <SelectField
              name="allowedOrganizations"
              label={t("apps.allowedOrganizations")}
              hint={t("apps.allowedOrganizationsHint")}
              options={named(ORGANIZATIONS)}
              value={settings.allowedOrganizations}
            />
            <SwitchField
              name="isThirdParty"
              label={t("apps.thirdParty")}
              hint={t("apps.thirdPartyHint")}
              isOn={settings.isThirdParty}
            />
            <SelectField
              name="profile"
              label={t("apps.profile")}
              hint={t("apps.profileHint")}
              options={named(PROFILES)}
              value={settings.profile}
            />
            <SwitchField
              name="requirePushedAuthorizationRequests"
              label={t("apps.requirePushedRequests")}
              hint={t("apps.requirePushedRequestsHint")}
              isOn={settings.requirePushedAuthorizationRequests}
            />
            <SwitchField
              name="requireSignedRequestObject"
              label={t("apps.requireSignedRequests")}
              hint={t("apps.requireSignedRequestsHint")}
              isOn={settings.requireSignedRequestObject}
            />
            <SwitchField
              name="dpopBoundAccessTokens"
              label={t("apps.dpopBound")}
              hint={t("apps.dpopBoundHint")}
              isOn={settings.dpopBoundAccessTokens}
            />
            <SwitchField
              name="dpopRequireNonce"
              label={t("apps.dpopNonce")}
              hint={t("apps.dpopNonceHint")}
              isOn={settings.dpopRequireNonce}
            />
            <SwitchField
              name="devMode"
              label={t("apps.devMode")}
              hint={t("apps.devModeHint")}
              isOn={settings.devMode}
            />
          </SettingGroup>
        </fieldset>
      </ActionForm>
    </section>
  );
}
