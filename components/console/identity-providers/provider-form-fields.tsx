// The fields of an identity provider, for adding and changing it. Each kind has some of them.
import { useTranslations } from "next-intl";
import { DayField, LongTextField, SelectField, SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { DirectoryAdvancedFields, DirectoryFields } from "./directory-fields";
import {
  type IdentityProviderView,
  type ProviderOwnerLevel,
  type SignInProviderKind,
  type SignInProviderSettings,
  settingsOfProvider,
} from "./provider-operations";
import { SamlMetadataFields, SamlRequestFields } from "./saml-fields";

export interface ProviderFormFieldsProps {
  level: ProviderOwnerLevel;
  kind: SignInProviderKind;
  /** The provider that is changed; undefined for a new one. */
  provider?: IdentityProviderView;
}

const HAS_ISSUER: readonly SignInProviderKind[] = ["oidc", "gitlab_self_hosted"];
const HAS_ENDPOINTS: readonly SignInProviderKind[] = ["oauth", "github_es"];
const IS_GENERIC: readonly SignInProviderKind[] = ["oidc", "oauth"];

export function ProviderFormFields({ level, kind, provider }: ProviderFormFieldsProps) {
  const t = useTranslations();
  const settings = provider ? settingsOfProvider(provider) : {};
  const hasClient = kind !== "saml" && kind !== "ldap";
  return (
    <>
      <TextField name="name" {...withHint(t, "settings.idpName")} value={provider?.name} maxLength={200} />
      {HAS_ISSUER.includes(kind) && (
        <TextField
          name="issuer"
          {...withHint(t, "settings.idpIssuer")}
          type="url"
          value={settings.issuer}
          required
          maxLength={2000}
        />
      )}
      {HAS_ENDPOINTS.includes(kind) && <EndpointFields {...settings} />}
      {kind === "oauth" && (
        <TextField
          name="idAttribute"
          {...withHint(t, "settings.idpIdAttribute")}
          value={settings.idAttribute}
          required
          maxLength={200}
        />
      )}
      {kind === "azure" && <TenantFields {...settings} />}
      {kind === "ldap" && <DirectoryFields level={level} settings={settings} id={provider?.id} />}
      {kind === "saml" && <SamlMetadataFields {...settings} />}
      {hasClient && (
        <TextField
          name="clientId"
          label={t(kind === "apple" ? "settings.idpServicesId" : "directory.clientId")}
          value={settings.clientId}
          required
          maxLength={500}
        />
      )}
      {kind === "apple" && <AppleKeyFields {...settings} isNew={!provider} />}
      {kind !== "apple" && hasClient && <SecretField isNew={!provider} />}
      {hasClient && (
        <DayField
          name="clientSecretExpiresAt"
          {...withHint(t, "settings.idpSecretEnds")}
          value={settings.clientSecretExpiresAt}
        />
      )}
      {kind === "saml" && <VerifiedField {...settings} hint={t("settings.idpSamlEmailVerifiedHint")} />}
      <OptionFields kind={kind} options={provider?.config.options} />
      <details>
        <summary>{t("settings.idpAdvanced")}</summary>
        {kind === "saml" && <SamlRequestFields {...settings} />}
        {kind === "ldap" && <DirectoryAdvancedFields settings={settings} />}
        {hasClient && <ClientFields kind={kind} {...settings} />}
        {hasClient && (
          <TextField
            name="providerOptions.tokenClientIds"
            {...withHint(t, "settings.idpTokenClients")}
            value={provider?.config.options.tokenClientIds?.join(" ")}
            as="words"
            maxLength={4000}
          />
        )}
      </details>
    </>
  );
}

function ClientFields({ kind, ...settings }: SignInProviderSettings & { kind: SignInProviderKind }) {
  const t = useTranslations();
  return (
    <>
      <TextField
        name="scopes"
        label={t("directory.scopes")}
        hint={t("settings.idpScopesHint")}
        value={settings.scopes?.join(" ")}
        as="words"
        maxLength={5000}
      />
      {IS_GENERIC.includes(kind) && (
        <SwitchField name="usePkce" label={t("settings.idpPkce")} isOn={settings.usePkce ?? true} />
      )}
      {kind === "oidc" && (
        <SwitchField
          name="isIdTokenMapping"
          {...withHint(t, "settings.idpIdTokenMapping")}
          isOn={settings.isIdTokenMapping}
        />
      )}
    </>
  );
}

function EndpointFields({ authorizationEndpoint, tokenEndpoint, userEndpoint }: SignInProviderSettings) {
  const t = useTranslations();
  const common = { type: "url", required: true, maxLength: 2000 } as const;
  return (
    <>
      <TextField
        {...common}
        name="authorizationEndpoint"
        label={t("settings.idpAuthorizationEndpoint")}
        value={authorizationEndpoint}
      />
      <TextField {...common} name="tokenEndpoint" label={t("settings.mailTokenEndpoint")} value={tokenEndpoint} />
      <TextField {...common} name="userEndpoint" label={t("settings.idpUserEndpoint")} value={userEndpoint} />
    </>
  );
}

function TenantFields({ tenant, emailVerified }: SignInProviderSettings) {
  const t = useTranslations();
  const types = ["COMMON", "ORGANISATIONS", "CONSUMERS"] as const;
  return (
    <>
      <SelectField
        name="tenant.tenantType"
        label={t("settings.idpTenantType")}
        value={tenant?.tenantType ?? ""}
        options={[
          { value: "", label: t("settings.idpOneTenant") },
          ...types.map((type) => ({
            value: `AZURE_AD_TENANT_TYPE_${type}`,
            label: t(`settings.by.tenantType.${type}`),
          })),
        ]}
      />
      <TextField
        name="tenant.tenantId"
        {...withHint(t, "settings.idpTenantId")}
        value={tenant?.tenantId}
        maxLength={100}
      />
      <VerifiedField emailVerified={emailVerified} hint={t("settings.idpEmailVerifiedHint")} />
    </>
  );
}

function VerifiedField({ emailVerified, hint }: Pick<SignInProviderSettings, "emailVerified"> & { hint: string }) {
  const t = useTranslations();
  return <SwitchField name="emailVerified" label={t("settings.idpEmailVerified")} hint={hint} isOn={emailVerified} />;
}

function SecretField({ isNew }: { isNew: boolean }) {
  const t = useTranslations();
  return (
    <TextField
      name="clientSecret"
      label={t("directory.clientSecret")}
      hint={!isNew && t("settings.idpSecretKept")}
      type="password"
      autoComplete="new-password"
      maxLength={2000}
    />
  );
}

function AppleKeyFields({ teamId, keyId, isNew }: SignInProviderSettings & { isNew: boolean }) {
  const t = useTranslations();
  return (
    <>
      <TextField name="teamId" label={t("settings.idpTeamId")} value={teamId} required maxLength={200} />
      <TextField name="keyId" label={t("settings.idpKeyId")} value={keyId} required maxLength={200} />
      <LongTextField
        name="privateKey"
        label={t("settings.idpPrivateKey")}
        hint={t(isNew ? "settings.idpPrivateKeyHint" : "settings.mailSecretKept")}
        maxLength={10_000}
        isSecret
      />
    </>
  );
}

/** The kinds whose providers can end a session there. */
export const WITH_LOGOUT: readonly SignInProviderKind[] = ["oidc", "azure", "gitlab_self_hosted", "saml"];

/** What may happen to accounts. */
function OptionFields(props: { kind: SignInProviderKind; options?: IdentityProviderView["config"]["options"] }) {
  const { kind, options } = props;
  const t = useTranslations();
  const switches = [
    ["isLinkingAllowed", true],
    ["isCreationAllowed", true],
    ["isAutoCreation", false],
    ["isAutoUpdate", false],
    ["isSecondFactorTrusted", false],
    ...(kind === "oidc" ? ([["isIdentityAssertionAccepted", false]] as const) : []),
    // A SAML provider that does not know our address for it may keep the browser.
    ...(WITH_LOGOUT.includes(kind)
      ? ([["isFederatedLogoutEnabled", options === undefined && kind !== "saml"]] as const)
      : []),
  ] as const;
  return (
    <fieldset className="plain-fieldset">
      <legend>{t("settings.idpAccounts")}</legend>
      {switches.map(([name, usual]) => (
        <SwitchField
          key={name}
          name={`providerOptions.${name}`}
          label={t(`settings.by.providerOption.${name}`)}
          hint={t(
            kind === "saml" && name === "isFederatedLogoutEnabled"
              ? "settings.idpSamlLogoutHint"
              : `settings.by.providerOptionHint.${name}`,
          )}
          isOn={options?.[name] ?? usual}
        />
      ))}
      <SelectField
        name="providerOptions.autoLinking"
        {...withHint(t, "settings.idpAutoLinking")}
        value={options?.autoLinking}
        options={(["UNSPECIFIED", "EMAIL", "USERNAME"] as const).map((by) => ({
          value: `AUTO_LINKING_OPTION_${by}`,
          label: t(`settings.by.autoLinking.${by}`),
        }))}
      />
    </fieldset>
  );
}
