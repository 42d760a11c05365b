// An unregistered address that an error page linked here: shows what is wrong with it and offers to register it.
import { useTranslations } from "next-intl";
import type { App } from "./app";
import { TrustAddress } from "./trust-address";
import { WrongAddress, type WrongRedirectUri } from "./wrong-address";

export interface RefusedAddressProps {
  redirectUri: WrongRedirectUri;
  /** The app, if the visitor may change it. */
  app: App | undefined;
}

export function RefusedAddress({ redirectUri, app }: RefusedAddressProps) {
  const t = useTranslations();
  const { sent, notRegistrable } = redirectUri;
  const settings = app?.oidcConfig;
  return (
    <section className="banner" aria-labelledby="refused">
      <h2 id="refused">{t("attempts.by.reason.redirect_uri_refused")}</h2>
      <p>
        <code dir="ltr">{sent}</code>
      </p>
      <WrongAddress redirectUri={redirectUri} />
      {app && settings && notRegistrable === undefined && (
        <div className="buttons">
          <TrustAddress id="trust-address" app={app} settings={settings} address={sent} />
        </div>
      )}
    </section>
  );
}
