// What to register at a provider before it is added.
import { useTranslations } from "next-intl";
import { CopyValue } from "../parts/copy-value";
import { WITH_LOGOUT } from "./provider-form-fields";
import type { SignInProviderKind } from "./provider-operations";

export function RegisterCard({ issuer, kind }: { issuer: string; kind: SignInProviderKind }) {
  const t = useTranslations();
  return (
    <section className="card" aria-labelledby="register">
      <h2 id="register">{t(kind === "saml" ? "settings.idpRegisterSaml" : "settings.idpRegister")}</h2>
      <p>{t(`settings.by.providerSteps.${kind}`)}</p>
      {kind !== "saml" && kind !== "ldap" && (
        <p>
          {t("settings.idpRedirectUri")}:{" "}
          <CopyValue value={`${issuer}/idps/callback`} label={t("settings.idpRedirectUri")} />
        </p>
      )}
      {kind !== "saml" && WITH_LOGOUT.includes(kind) && (
        <p>
          {t("settings.by.providerAddress.postLogoutRedirectUri")}:{" "}
          <CopyValue value={`${issuer}/logout/done`} label={t("settings.by.providerAddress.postLogoutRedirectUri")} />
        </p>
      )}
    </section>
  );
}
