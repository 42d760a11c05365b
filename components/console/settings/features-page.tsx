// The features and languages of the whole service.
import { useTranslations } from "next-intl";
import {
  GetInstanceFeatures,
  GetRestrictions,
  GetSecurityPolicy,
  SetInstanceFeatures,
  SetRestrictions,
  SetSecurityPolicy,
} from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { LongTextField, SwitchField } from "../forms/fields";
import { LanguageCheckboxes } from "../forms/language-fields";
import { withHint } from "../forms/with-hint";

export interface FeaturesPageProps {
  /** The features by name; undefined if the visitor may not read them. */
  features: Readonly<Record<string, boolean>>;
  /** Undefined if the visitor may not read them. */
  security:
    | {
        enableImpersonation?: boolean;
        oauthMetadata?: boolean;
        requirePushedAuthorizationRequests?: boolean;
        dynamicClientRegistration?: { enabled?: boolean; allowUnauthenticated?: boolean };
        clientIdMetadataDocuments?: {
          enabled?: boolean;
          allowedHosts?: readonly string[];
          deniedHosts?: readonly string[];
        };
      }
    | undefined;
  allowedLanguages: readonly string[] | undefined;
  mayWriteFeatures: boolean;
  mayWriteSettings: boolean;
}

export function FeaturesPage(props: FeaturesPageProps) {
  const { features, security, allowedLanguages, mayWriteFeatures, mayWriteSettings } = props;
  const t = useTranslations();
  const form = { submit: t("settings.save"), done: t("settings.saved") };
  return (
    <>
      <h1>{t("pages.features")}</h1>
      <section className="card" aria-labelledby="features">
        <h2 id="features">{t("settings.features")}</h2>
        <ActionForm
          {...form}
          id="features-form"
          operation={SetInstanceFeatures}
          isReadOnly={!mayWriteFeatures}
          review={{ wayBack: { read: GetInstanceFeatures, of: "" } }}
        >
          {Object.entries(features).map(([name, isOn]) => (
            <SwitchField
              key={name}
              name={name}
              isOn={isOn}
              label={t.has(`settings.by.feature.${name}`) ? t(`settings.by.feature.${name}`) : name}
              hint={t.has(`settings.by.featureHint.${name}`) ? t(`settings.by.featureHint.${name}`) : undefined}
            />
          ))}
        </ActionForm>
      </section>
      {security && (
        <section className="card" aria-labelledby="security">
          <h2 id="security">{t("settings.security")}</h2>
          <ActionForm
            {...form}
            id="security-form"
            operation={SetSecurityPolicy}
            isReadOnly={!mayWriteSettings}
            review={{ wayBack: { read: GetSecurityPolicy, of: "policy" } }}
          >
            <SwitchField
              name="enableImpersonation"
              isOn={security.enableImpersonation === true}
              {...withHint(t, "settings.impersonation")}
            />
            <SwitchField
              name="oauthMetadata"
              isOn={security.oauthMetadata === true}
              {...withHint(t, "settings.oauthMetadata")}
            />
            <SwitchField
              name="requirePushedAuthorizationRequests"
              isOn={security.requirePushedAuthorizationRequests === true}
              {...withHint(t, "settings.requirePushedRequests")}
            />
            <SwitchField
              name="dynamicClientRegistration.enabled"
              isOn={security.dynamicClientRegistration?.enabled === true}
              {...withHint(t, "settings.clientRegistration")}
            />
            <SwitchField
              name="dynamicClientRegistration.allowUnauthenticated"
              isOn={security.dynamicClientRegistration?.allowUnauthenticated === true}
              {...withHint(t, "settings.openRegistration")}
            />
            <SwitchField
              name="clientIdMetadataDocuments.enabled"
              isOn={security.clientIdMetadataDocuments?.enabled === true}
              {...withHint(t, "settings.metadataDocuments")}
            />
            <LongTextField
              name="clientIdMetadataDocuments.allowedHosts"
              as="lines"
              {...withHint(t, "settings.allowedHosts")}
              value={security.clientIdMetadataDocuments?.allowedHosts?.join("\n")}
            />
            <LongTextField
              name="clientIdMetadataDocuments.deniedHosts"
              as="lines"
              {...withHint(t, "settings.deniedHosts")}
              value={security.clientIdMetadataDocuments?.deniedHosts?.join("\n")}
            />
          </ActionForm>
        </section>
      )}
      {allowedLanguages && (
        <section className="card" aria-labelledby="languages">
          <h2 id="languages">{t("settings.languages")}</h2>
          <ActionForm
            {...form}
            id="languages-form"
            operation={SetRestrictions}
            isReadOnly={!mayWriteSettings}
            review={{ wayBack: { read: GetRestrictions, of: "" } }}
          >
            <LanguageCheckboxes
              name="allowedLanguages.list"
              {...withHint(t, "settings.allowedLanguages")}
              chosen={allowedLanguages}
            />
          </ActionForm>
        </section>
      )}
    </>
  );
}
