// What is known of an identity provider, and what to enter there, which is needed once.
import { useTranslations } from "next-intl";
import { breakable } from "../parts/breakable";
import { CopyValue } from "../parts/copy-value";
import { Expiry } from "../parts/expiry";
import { Facts } from "../parts/facts";
import { Folded } from "../parts/folded";
import { Moment } from "../parts/moment";
import {
  type IdentityProviderView,
  kindOfProvider,
  type ProviderOwnerLevel,
  settingsOfProvider,
} from "./provider-operations";

/** The addresses of this service for a provider, beside the redirect URI. */
const ADDRESSES = ["postLogoutRedirectUri", "backchannelLogoutUri", "singleLogoutUrl"] as const;

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
  const addresses = isService
    ? []
    : [
        { label: t("settings.idpEntityId"), value: serviceProvider?.entityId },
        {
          label: t(serviceProvider ? "settings.idpAcsUrl" : "settings.idpRedirectUri"),
          value: kindOfProvider(provider) === "ldap" ? undefined : redirectUri,
        },
        ...ADDRESSES.map((name) => ({ label: t(`settings.by.providerAddress.${name}`), value: provider[name] })),
      ].filter(({ value }) => value !== undefined);
  const toRegister = (
    <Facts
      facts={addresses.map(({ label, value = "" }) => [
        label,
        <CopyValue key={label} value={value} label={`${label} · ${provider.name}`} />,
      ])}
    />
  );
  /** A SAML provider is often added first: its metadata are made with our addresses. */
  const isRegistered = !serviceProvider || settings.metadataXml || settings.metadataUrl;
  return (
    <>
      <Facts
        facts={[
          [t("settings.idpKind"), t(`settings.by.providerKind.${kindOfProvider(provider)}`)],
          [t("settings.idpOwner"), isService && t("settings.fromService")],
          [t("settings.idpIssuer"), issuer && <code>{breakable(issuer)}</code>],
          [
            t("settings.idpAuthorizationEndpoint"),
            authorizationEndpoint && <code>{breakable(authorizationEndpoint)}</code>,
          ],
          [t("directory.clientId"), clientId && <code>{clientId}</code>],
          [t("settings.idpSecretEnds"), clientSecretExpiresAt && <Expiry at={clientSecretExpiresAt} />],
          [t("settings.ldapServers"), settings.servers && <code>{settings.servers.join("\n")}</code>],
          [t("settings.idpTheirEntityId"), settings.entityId && <code>{breakable(settings.entityId)}</code>],
          [t("settings.idpMetadataUrl"), settings.metadataUrl && <code>{breakable(settings.metadataUrl)}</code>],
          [
            t("settings.idpCertificateEnds"),
            certificates && certificates.length > 0 && <Ends certificates={certificates} />,
          ],
          [
            t("settings.idpOwnCertificateEnds"),
            !isService && serviceProvider && <Ends certificates={serviceProvider.certificates} />,
          ],
        ]}
      />
      {addresses.length > 0 &&
        (isRegistered ? <Folded summary={t("settings.idpAddresses")}>{toRegister}</Folded> : toRegister)}
    </>
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
