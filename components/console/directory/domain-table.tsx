// The domains of an organization: which ones are verified, and which one is the suffix of login names.
import { useTranslations } from "next-intl";
import { AddOrgDomain, RemoveOrgDomain, SetPrimaryOrgDomain } from "../../../shared/generated/operations";
import { organizationAddress } from "../../../shared/pages";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Table } from "../lists/table";
import type { Domain } from "./organization";

export interface DomainTableProps {
  organizationId: string;
  domains: readonly Domain[];
  mayWrite: boolean;
}

export function DomainTable({ organizationId, domains, mayWrite }: DomainTableProps) {
  const t = useTranslations();
  const addressOf = (domain: string) => `${organizationAddress(organizationId)}/domains/${encodeURIComponent(domain)}`;
  return (
    <section aria-labelledby="domains" className="section">
      <div className="head">
        <h2 id="domains">{t("directory.domains")}</h2>
        {mayWrite && (
          <FormDialog
            id="add-domain"
            label={t("directory.addDomain")}
            description={t("directory.addDomainHint")}
            operation={AddOrgDomain}
            submit={t("directory.add")}
            then={`${organizationAddress(organizationId)}/domains/{domain}`}
          >
            <TextField
              name="domain"
              label={t("directory.domain")}
              required
              maxLength={200}
              inputMode="url"
              placeholder="example.com"
            />
          </FormDialog>
        )}
      </div>
      <Table
        caption={t("directory.domains")}
        rows={domains}
        keyOf={({ domainName }) => domainName}
        empty={<p>{t("directory.noDomains")}</p>}
        columns={[
          { id: "domain", label: t("directory.domain"), cell: ({ domainName }) => <bdi>{domainName}</bdi> },
          { id: "state", label: t("directory.state"), cell: (domain) => <DomainState domain={domain} /> },
        ]}
        actions={({ domainName, isVerified, isPrimary }) =>
          mayWrite && (
            <div className="buttons">
              {!isVerified && (
                <a className="button" href={addressOf(domainName)}>
                  {t("directory.proveDomain")}
                </a>
              )}
              {isVerified && !isPrimary && (
                <ActionButton
                  id={`primary-${domainName}`}
                  label={t("directory.makePrimary")}
                  operation={SetPrimaryOrgDomain}
                  at={{ domain: domainName }}
                  body={{}}
                  done={t("directory.saved")}
                />
              )}
              {!isPrimary && (
                <ConfirmButton
                  id={`remove-${domainName}`}
                  label={t("directory.remove")}
                  title={t("directory.removeTitle", { name: domainName })}
                  text={<p>{t("directory.removeDomain")}</p>}
                  operation={RemoveOrgDomain}
                  at={{ domain: domainName }}
                  done={t("directory.removed")}
                />
              )}
            </div>
          )
        }
      />
    </section>
  );
}

export function DomainState({ domain: { isVerified, isPrimary } }: { domain: Domain }) {
  const t = useTranslations();
  if (isPrimary) return <span className="state good">{t("directory.isPrimary")}</span>;
  return (
    <span className={isVerified ? "state good" : "state"}>
      {t(isVerified ? "directory.isVerified" : "directory.isUnproven")}
    </span>
  );
}
