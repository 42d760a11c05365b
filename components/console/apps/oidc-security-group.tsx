// The settings of an app that decide how strictly its requests and tokens are protected.
import { useTranslations } from "next-intl";
import { SelectField, SwitchField } from "../forms/fields";
import { AddressList } from "./address-list";
import type { OidcConfig } from "./app";
import { SettingGroup } from "./setting-group";

const PROFILES = ["PROFILE_NONE", "PROFILE_FAPI2", "PROFILE_FAPI2_MESSAGE_SIGNING"];
const ORGANIZATIONS = ["APP_ORGANIZATIONS_OWN_AND_GRANTED", "APP_ORGANIZATIONS_ALL"];

export function SecurityGroup({ settings }: { settings: OidcConfig }) {
  const t = useTranslations();
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: t(`apps.by.setting.${value}`) }));
  return (
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
        name="tlsClientCertificateBoundAccessTokens"
        label={t("apps.certificateBound")}
        hint={t("apps.certificateBoundHint")}
        isOn={settings.tlsClientCertificateBoundAccessTokens}
      />
      <AddressList
        name="requestUris"
        legend={t("apps.requestUris")}
        hint={t("apps.requestUrisHint")}
        addresses={settings.requestUris}
      />
      <SwitchField name="devMode" label={t("apps.devMode")} hint={t("apps.devModeHint")} isOn={settings.devMode} />
    </SettingGroup>
  );
}
