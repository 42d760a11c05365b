// What is known of an identity provider, and what to enter there.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyValue } from "../parts/copy-value";
import { Expiry } from "../parts/expiry";
import { Facts } from "../parts/facts";
import { Moment } from "../parts/moment";
import {
  type IdentityProviderView,
  kindOfProvider,
  type ProviderOwnerLevel,
  settingsOfProvider,
} from "./provider-operations";

export interface ProviderFactsProps {
  /** The level of the page, which is not that of the provider if an organization sees one of the service. */
  level: ProviderOwnerLevel;
  provider: IdentityProviderView;
}

export function ProviderFacts({ level, provider }: ProviderFactsProps) {
  const t = useTranslations();
  const { owner, redirectUri, serviceProvider } = provider;
  const settings = settingsOfProvider(provider);
  const { clientId, clientSecretExpiresAt, issuer, authorizationEndpoint } = settings;
  const certificates = serviceProvider && (settings.certificates ?? []);
  const isService = level === "organization" && owner === "IDP_OWNER_TYPE_SYSTEM";
  return (
    <Facts
      facts={[
        [t("settings.idpKind"), t(`settings.by.providerKind.${kindOfProvider(provider)}`)],
        [t("settings.idpOwner"), isService && t("settings.fromService")],
        [t("settings.idpIssuer"), issuer && <code>{issuer}</code>],
        [t("settings.idpAuthorizationEndpoint"), authorizationEndpoint && <code>{authorizationEndpoint}</code>],
        [t("directory.clientId"), clientId && <code>{clientId}</code>],
        [t("settings.idpSecretEnds"), clientSecretExpiresAt && <Expiry at={clientSecretExpiresAt} />],
        [t("settings.ldapServers"), settings.servers && <code>{settings.servers.join("\n")}</code>],
        [t("settings.idpTheirEntityId"), settings.entityId && <code>{settings.entityId}</code>],
        [t("settings.idpMetadataUrl"), settings.metadataUrl && <code>{settings.metadataUrl}</code>],
        [
          t("settings.idpCertificateEnds"),
          certificates && certificates.length > 0 && <Ends certificates={certificates} />,
        ],
        [
          t("settings.idpEntityId"),
          !isService && serviceProvider && (
            <CopyValue value={serviceProvider.entityId} label={`${t("settings.idpEntityId")} · ${provider.name}`} />
          ),
        ],
        [
          t(serviceProvider ? "settings.idpAcsUrl" : "settings.idpRedirectUri"),
          !isService && kindOfProvider(provider) !== "ldap" && (
            <CopyValue
              value={redirectUri}
              label={`${t(serviceProvider ? "settings.idpAcsUrl" : "settings.idpRedirectUri")} · ${provider.name}`}
            />
          ),
        ],
        ...(["postLogoutRedirectUri", "backchannelLogoutUri", "singleLogoutUrl"] as const).map(
          (name): [string, ReactNode] => [
            t(`settings.by.providerAddress.${name}`),
            !isService && provider[name] !== undefined && (
              <CopyValue
                value={provider[name]}
                label={`${t(`settings.by.providerAddress.${name}`)} · ${provider.name}`}
              />
            ),
          ],
        ),
        [
          t("settings.idpOwnCertificateEnds"),
          !isService && serviceProvider && <Ends certificates={serviceProvider.certificates} />,
        ],
      ]}
    />
  );
}

/** When certificates end, one after the other. */
function Ends({ certificates }: { certificates: readonly { expirationDate: string }[] }) {
  return certificates.map(({ expirationDate }, index) => (
    <span key={expirationDate}>
      {index > 0 && ", "}
      <Moment at={Date.parse(expirationDate)} />
    </span>
  ));
}
