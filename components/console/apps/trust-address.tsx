// Registers a redirect URI that was rejected. Strangers can cause such requests, so the address is shown and must be
// confirmed.
import { useTranslations } from "next-intl";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { type App, appParameters, type OidcConfig, settingsToSend } from "./app";

export interface TrustAddressProps {
  id: string;
  app: App;
  settings: OidcConfig;
  address: string;
}

export function TrustAddress({ id, app, settings, address }: TrustAddressProps) {
  const t = useTranslations();
  return (
    <ConfirmButton
      id={id}
      look="primary"
      triggerLook="plain"
      label={t("attempts.addAddress")}
      title={t("attempts.addAddressTitle", { name: app.name })}
      text={
        <>
          <p>
            <code dir="ltr">{address}</code>
          </p>
          <p>{t("attempts.addAddressText")}</p>
        </>
      }
      operation={UpdateOIDCAppConfig}
      at={appParameters(app)}
      body={{ ...settingsToSend(settings), redirectUris: [...settings.redirectUris, address] }}
      done={t("apps.saved")}
    />
  );
}
