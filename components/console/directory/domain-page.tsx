// Proves that the organization owns a domain, by a value in DNS or in a file; then shows the users who would be
// renamed, and claims the domain.
import { useTranslations } from "next-intl";
import { GenerateOrgDomainValidation, ValidateOrgDomain } from "../../../shared/generated/operations";
import { organizationAddress } from "../../../shared/pages";
import type { Answer } from "../../../shared/refusal";
import { LoginName } from "../../ui/user-text";
import { useRefusalText } from "../calls/refusal-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { ActionForm } from "../forms/action-form";
import { CopyValue } from "../parts/copy-value";
import { Facts } from "../parts/facts";
import { DomainState } from "./domain-table";
import type { ClaimPreview, Domain } from "./organization";

export interface DomainPageProps {
  organizationId: string;
  domain: Domain;
  /** The preview, which is read if there is a challenge. */
  preview: Answer<ClaimPreview> | undefined;
}

const DNS = "DOMAIN_VALIDATION_TYPE_DNS";
const HTTP = "DOMAIN_VALIDATION_TYPE_HTTP";

export function DomainPage({ organizationId, domain, preview }: DomainPageProps) {
  const t = useTranslations();
  const { domainName, isVerified, challenge, validationType } = domain;
  const choices = [
    { type: DNS, id: "by-dns", submit: t("directory.byDns") },
    { type: HTTP, id: "by-file", submit: t("directory.byFile") },
  ] as const;
  return (
    <>
      <p className="back">
        <a href={organizationAddress(organizationId)}>{t("pages.organization")}</a>
      </p>
      <h1>
        <bdi>{domainName}</bdi>
      </h1>
      <p>
        <DomainState domain={domain} />
      </p>
      {!isVerified && (
        <>
          <section className="card" aria-labelledby="prove">
            <h2 id="prove">{t("directory.proveDomain")}</h2>
            <p>{t("directory.proveDomainText")}</p>
            <div className="buttons">
              {choices.map(({ type, id, submit }) => (
                <ActionForm
                  key={type}
                  id={id}
                  operation={GenerateOrgDomainValidation}
                  at={{ domain: domainName }}
                  body={{ type }}
                  submit={submit}
                  look="plain"
                />
              ))}
            </div>
          </section>
          {challenge && (
            <>
              <h2>{t(validationType === HTTP ? "directory.serveFile" : "directory.setRecord")}</h2>
              <Facts
                facts={[
                  [
                    t(validationType === HTTP ? "directory.address" : "directory.recordName"),
                    <CopyValue key="url" value={challenge.url} label={t("directory.recordName")} />,
                  ],
                  [t("directory.recordType"), validationType === DNS && <code key="type">TXT</code>],
                  [
                    t("directory.value"),
                    <CopyValue key="token" value={challenge.token} label={t("directory.value")} />,
                  ],
                ]}
              />
            </>
          )}
          {preview && <Claim organizationId={organizationId} domainName={domainName} preview={preview} />}
        </>
      )}
    </>
  );
}

interface ClaimProps {
  organizationId: string;
  domainName: string;
  preview: Answer<ClaimPreview>;
}

function Claim({ organizationId, domainName, preview }: ClaimProps) {
  const t = useTranslations();
  const refusalText = useRefusalText();
  if (!preview.ok) {
    return (
      <section className="card" aria-labelledby="claim">
        <h2 id="claim">{t("directory.notProven")}</h2>
        <p>{refusalText(preview.refusal)}</p>
        <p>
          <a
            className="button"
            href={`${organizationAddress(organizationId)}/domains/${encodeURIComponent(domainName)}`}
          >
            {t("directory.checkAgain")}
          </a>
        </p>
      </section>
    );
  }
  const { totalResult, users } = preview.body;
  const count = Number(totalResult);
  return (
    <section className="card" aria-labelledby="claim">
      <h2 id="claim">{t("directory.proven")}</h2>
      <p>{t("directory.renamed", { count })}</p>
      {users.length > 0 && (
        <ul className="names">
          {users.map(({ userName, isNotified }) => (
            <li key={userName}>
              <LoginName>{userName}</LoginName>{" "}
              <span className="quiet">{t(isNotified ? "directory.isNotified" : "directory.isNotNotified")}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <ConfirmButton
          id="claim-domain"
          look="primary"
          label={t("directory.claim")}
          title={t("directory.claimTitle", { name: domainName })}
          text={<p>{t("directory.renamed", { count })}</p>}
          operation={ValidateOrgDomain}
          at={{ domain: domainName }}
          body={{}}
          done={t("directory.claimed")}
        />
      </p>
    </section>
  );
}
