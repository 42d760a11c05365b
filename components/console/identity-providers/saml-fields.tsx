"use client";
// The fields of a SAML provider. Its metadata comes from an address, or is pasted or read from a file.
import { useTranslations } from "next-intl";
import { SelectField, SwitchField, TextField } from "../forms/fields";
import { useField } from "../forms/form-state";
import { LongTextInput } from "../forms/inputs";
import { withHint } from "../forms/with-hint";
import type { SignInProviderSettings } from "./provider-operations";

const BINDINGS = ["UNSPECIFIED", "REDIRECT", "POST"] as const;
const FORMATS = ["UNSPECIFIED", "PERSISTENT", "EMAIL_ADDRESS", "TRANSIENT"] as const;

/** Metadata in answers is base64. */
function textOfBase64(content = ""): string {
  return new TextDecoder().decode(Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)));
}

export function SamlMetadataFields({ metadataUrl, metadataXml }: SignInProviderSettings) {
  const t = useTranslations();
  return (
    <>
      <TextField
        name="metadataUrl"
        {...withHint(t, "settings.idpMetadataUrl")}
        type="url"
        value={metadataUrl}
        maxLength={2000}
      />
      <MetadataXmlField value={textOfBase64(metadataXml)} />
    </>
  );
}

function MetadataXmlField({ value }: { value: string }) {
  const t = useTranslations();
  const label = t("settings.idpMetadataXml");
  const field = useField<string>({
    name: "metadataXml",
    label,
    initial: value,
    toJson: (text) => text.trim() || undefined,
    inWords: (text) => (text.trim() === "" ? [] : [text.trim()]),
  });
  return (
    <>
      <LongTextInput
        name="metadataXml"
        label={label}
        hint={t("settings.idpMetadataXmlHint")}
        value={field.value}
        onChange={field.change}
        className="code"
        dir="ltr"
      />
      <div className="field">
        <label htmlFor="metadata-file">{t("settings.idpMetadataFile")}</label>
        <input
          type="file"
          id="metadata-file"
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          onChange={async ({ target }) => {
            const file = target.files?.[0];
            if (file) field.change(await file.text());
          }}
        />
      </div>
    </>
  );
}

export function SamlRequestFields(settings: SignInProviderSettings) {
  const t = useTranslations();
  const { binding, nameIdFormat, transientMappingAttributeName, withSignedRequest } = settings;
  return (
    <>
      <SelectField
        name="binding"
        label={t("settings.idpBinding")}
        value={binding}
        options={BINDINGS.map((one) => ({ value: `SAML_BINDING_${one}`, label: t(`settings.by.samlBinding.${one}`) }))}
      />
      <SwitchField name="withSignedRequest" {...withHint(t, "settings.idpSignedRequest")} isOn={withSignedRequest} />
      <SelectField
        name="nameIdFormat"
        label={t("settings.idpNameIdFormat")}
        value={nameIdFormat}
        options={FORMATS.map((one) => ({
          value: `SAML_NAME_ID_FORMAT_${one}`,
          label: t(`settings.by.samlNameId.${one}`),
        }))}
      />
      <TextField
        name="transientMappingAttributeName"
        {...withHint(t, "settings.idpTransientAttribute")}
        value={transientMappingAttributeName}
        maxLength={200}
      />
    </>
  );
}
