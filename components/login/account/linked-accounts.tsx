// The accounts at identity providers by which the user signs in, and the buttons that connect another one.
import type { LoginTranslator } from "../../../messages/login";
import { ErrorSummary } from "../../ui/form";
import { bdi, Name, plainName } from "../../ui/user-text";
import { AccountButton, type AccountFields, accountHref } from "../account-frame";
import { dayIn } from "./times";

/** Why an account was not connected or removed. */
export type LinkError = "failed" | "denied" | "refused" | "taken" | "last";

export interface LinkedAccountsProps {
  fields: AccountFields;
  confirmPath: string;
  timeZone: string;
  links: readonly {
    /** The identifier in forms. */
    id: string;
    provider: string;
    userName: string;
    createdAt: number;
    /** The names of the apps that get the provider's tokens. */
    tokenApps: readonly string[];
  }[];
  /** Providers at which the user can connect an account. */
  linkable: readonly { id: string; name: string }[];
  /** The address that a button posts to. */
  linkAction: string;
  linkError?: LinkError;
}

const ERRORS = {
  failed: "account.linkFailed",
  denied: "account.linkDenied",
  refused: "account.linkRefused",
  taken: "account.linkTaken",
  last: "account.linkLast",
} as const satisfies Record<LinkError, string>;

export const LinkErrorNote = ({ t, error }: { t: LoginTranslator; error: LinkError }) => (
  <ErrorSummary entries={[{ text: t(ERRORS[error]) }]} />
);

export function LinkedAccounts({ t, ...props }: LinkedAccountsProps & { t: LoginTranslator }) {
  const { fields, confirmPath, timeZone, links, linkable, linkAction } = props;
  if (links.length + linkable.length === 0) return null;
  const added = dayIn(t, "account.added", timeZone);
  return (
    <section aria-labelledby="links-section">
      <h2 id="links-section">{t("account.links")}</h2>
      {links.length === 0 && <p>{t("account.noLinks")}</p>}
      <ul className="entries">
        {links.map(({ id, provider, userName, createdAt, tokenApps }, index) => (
          <li key={id}>
            <p>
              <strong>
                <Name>{provider}</Name>
              </strong>{" "}
              · <Name>{userName}</Name>
            </p>
            <p>{t("account.added", { date: added(createdAt) })}</p>
            {tokenApps.length > 0 && (
              <p>{t.rich("account.linkTokens", { ...bdi, applications: tokenApps.map(plainName).join(", ") })}</p>
            )}
            <p>
              <a id={`remove-link-${index + 1}`} href={accountHref(confirmPath, fields, { what: "remove-link", id })}>
                <span aria-hidden="true">{t("account.remove")}</span>
                <span className="hidden">{t.rich("account.removeOf", { ...bdi, name: plainName(provider) })}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
      {linkable.map(({ id, name }) => (
        <AccountButton
          key={id}
          action={linkAction}
          fields={{ ...fields, idp: id }}
          id={`link-${id}`}
          className="secondary"
        >
          {t.rich("account.link", { ...bdi, provider: plainName(name) })}
        </AccountButton>
      ))}
    </section>
  );
}
