// The identity providers of the service or of an organization: a card for each, and the page that adds one. An
// organization also sees the service's, which it may offer. Secrets are never shown again.
import { useTranslations } from "next-intl";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { ActionForm } from "../forms/action-form";
import { FormDialog } from "../forms/form-dialog";
import { MappingDialog } from "./mapping-dialog";
import { ProviderFacts } from "./provider-facts";
import { ProviderFormFields } from "./provider-form-fields";
import {
  IDENTITY_PROVIDER_OPERATIONS,
  type IdentityProviderView,
  kindOfProvider,
  type OfferedProviderView,
  PROVIDER_KIND_NAMES,
  type ProviderOwnerLevel,
  type SignInProviderKind,
  settingsOfProvider,
} from "./provider-operations";
import { RegisterCard } from "./register-card";
import { TestButton } from "./test-button";

export interface IdentityProvidersPageProps {
  level: ProviderOwnerLevel;
  providers: readonly IdentityProviderView[];
  /** What the level's sign-in pages offer. */
  offered: readonly OfferedProviderView[];
  mayWrite: boolean;
  /** The address of this page. */
  path: string;
  issuer: string;
  /** The `add` of the address: the kind to add, empty to choose one, or undefined for the list. */
  add?: string;
}

export function IdentityProvidersPage({ add, ...props }: IdentityProvidersPageProps) {
  const kind = PROVIDER_KIND_NAMES.find((name) => name === add);
  if (props.mayWrite && kind) return <AddProvider {...props} kind={kind} />;
  return props.mayWrite && add !== undefined ? <ChooseKind {...props} /> : <ProviderList {...props} />;
}

const titleOf = (level: ProviderOwnerLevel) =>
  level === "instance" ? "pages.instance_identity_providers" : "pages.identity_providers";

type PageProps = Omit<IdentityProvidersPageProps, "add">;

function ProviderList({ level, providers, offered, mayWrite, path }: PageProps) {
  const t = useTranslations();
  return (
    <>
      <div className="head">
        <h1>{t(titleOf(level))}</h1>
        {mayWrite && (
          <a id="add-provider" className="button primary" href={`${path}?add=`}>
            {t("settings.idpAdd")}
          </a>
        )}
      </div>
      <p className="lead">{t("settings.idpLead")}</p>
      {providers.length === 0 && <p className="card empty">{t("settings.idpNone")}</p>}
      {providers.map((provider) => (
        <ProviderCard
          key={provider.id}
          level={level}
          provider={provider}
          isOffered={offered.some(({ idpId }) => idpId === provider.id)}
          mayWrite={mayWrite}
        />
      ))}
    </>
  );
}

interface CardProps {
  level: ProviderOwnerLevel;
  provider: IdentityProviderView;
  isOffered: boolean;
}

function ProviderCard({ mayWrite, ...props }: CardProps & { mayWrite: boolean }) {
  const t = useTranslations();
  const { provider, level, isOffered } = props;
  const { id, state, owner, serviceProvider } = provider;
  const { metadataXml, metadataUrl } = settingsOfProvider(provider);
  const isActive = state === "IDP_STATE_ACTIVE";
  const isService = level === "organization" && owner === "IDP_OWNER_TYPE_SYSTEM";
  const headline = `provider-${id}`;
  return (
    <section className="card" aria-labelledby={headline}>
      <div className="head">
        <h2 id={headline}>
          <bdi>{provider.name}</bdi>
        </h2>
        <span>
          <span className={isActive ? "state good" : "state"}>{t(isActive ? "apps.active" : "apps.inactive")}</span>{" "}
          {serviceProvider && !metadataXml && !metadataUrl && (
            <span className="state bad">{t("settings.idpMetadataMissing")}</span>
          )}{" "}
          {isOffered && <span className="state">{t("settings.idpOffered")}</span>}
        </span>
      </div>
      <ProviderFacts level={level} provider={provider} />
      {mayWrite && (
        <div className="buttons">
          <OfferButton {...props} />
          {!isService && <OwnerButtons {...props} />}
        </div>
      )}
    </section>
  );
}

function OfferButton({ level, provider, isOffered }: CardProps) {
  const t = useTranslations();
  const { offer, withdraw } = IDENTITY_PROVIDER_OPERATIONS[level];
  const common = { done: t("settings.saved") };
  return isOffered ? (
    <ActionButton
      {...common}
      id={`withdraw-${provider.id}`}
      label={t("settings.idpWithdraw")}
      operation={withdraw}
      at={{ idpId: provider.id }}
    />
  ) : (
    <ActionButton
      {...common}
      id={`offer-${provider.id}`}
      look="primary"
      label={t("settings.idpOffer")}
      operation={offer}
      body={{ idpId: provider.id }}
    />
  );
}

function OwnerButtons({ level, provider }: CardProps) {
  const t = useTranslations();
  const { id, name, state, serviceProvider } = provider;
  const { change, activate, deactivate, remove, renew } = IDENTITY_PROVIDER_OPERATIONS[level];
  const isActive = state === "IDP_STATE_ACTIVE";
  const common = { at: { id }, done: t("settings.saved") };
  return (
    <>
      <FormDialog
        {...common}
        id={`change-${id}`}
        label={t("directory.change")}
        title={name}
        submit={t("settings.save")}
        operation={change}
        review={{}}
      >
        <ProviderFormFields level={level} kind={kindOfProvider(provider)} provider={provider} />
      </FormDialog>
      <ActionButton
        {...common}
        id={isActive ? `deactivate-${id}` : `activate-${id}`}
        label={t(isActive ? "directory.deactivate" : "directory.reactivate")}
        operation={isActive ? deactivate : activate}
      />
      <TestButton level={level} provider={provider} />
      <MappingDialog level={level} provider={provider} />
      {serviceProvider && (
        <ConfirmButton
          id={`renew-${id}`}
          triggerLook="plain"
          label={t("settings.idpRenew")}
          title={t("settings.idpRenewTitle", { name })}
          text={<p>{t("settings.idpRenewText")}</p>}
          operation={renew}
          {...common}
        />
      )}
      <ConfirmButton
        id={`remove-${id}`}
        triggerLook="plain"
        label={t("directory.remove")}
        title={t("directory.removeTitle", { name })}
        text={<p>{t("settings.idpRemoveText")}</p>}
        operation={remove}
        at={{ id }}
        done={t("directory.removed")}
      />
    </>
  );
}

/** The way back to the list, and the title of a page that adds a provider. */
function AddHead({ level, path, title }: Pick<PageProps, "level" | "path"> & { title: string }) {
  const t = useTranslations();
  return (
    <>
      <p className="crumb">
        <a href={path}>{t(titleOf(level))}</a>
      </p>
      <h1>{title}</h1>
    </>
  );
}

function ChooseKind({ level, path }: PageProps) {
  const t = useTranslations();
  return (
    <>
      <AddHead level={level} path={path} title={t("settings.idpAdd")} />
      <ul className="provider-kinds">
        {PROVIDER_KIND_NAMES.map((kind) => (
          <li key={kind}>
            <a className="card" href={`${path}?add=${kind}`}>
              {t(`settings.by.providerKind.${kind}`)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function AddProvider({ level, path, issuer, kind }: PageProps & { kind: SignInProviderKind }) {
  const t = useTranslations();
  const name = t(`settings.by.providerKind.${kind}`);
  return (
    <>
      <AddHead level={level} path={path} title={t("settings.idpAddKind", { kind: name })} />
      <RegisterCard issuer={issuer} kind={kind} />
      <section className="card" aria-labelledby="connect">
        <h2 id="connect">{t("settings.idpConnect")}</h2>
        <ActionForm
          id="new-provider"
          operation={IDENTITY_PROVIDER_OPERATIONS[level].add[kind]}
          submit={t("settings.idpAdd")}
          done={t("settings.idpAdded")}
          then={path}
        >
          <ProviderFormFields level={level} kind={kind} />
        </ActionForm>
      </section>
    </>
  );
}
