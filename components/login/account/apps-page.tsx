// The apps to which a user has granted access: the permissions of each, and how to disconnect it.
import type { LoginTranslator } from "../../../messages/login";
import type { Disclosure } from "../../../server/protocol/consent-required";
import type { ScopeDescriptions } from "../../../server/protocol/project-scope";
import { bdi, Name, plainName } from "../../ui/user-text";
import { type AccountFields, AccountFrame, accountHref } from "../account-frame";
import { DisclosureList } from "../continue-page";
import { dayIn } from "./times";

export interface AccountApp {
  clientId: string;
  name: string;
  organizationName?: string;
  disclosures: readonly Disclosure[];
  projectScopes: readonly ScopeDescriptions[];
  /** Epoch milliseconds. */
  connectedAt: number;
  usedAt: number;
}

export interface AccountAppsProps {
  fields: AccountFields;
  confirmPath: string;
  saved: boolean;
  timeZone: string;
  apps: readonly AccountApp[];
  organizationName?: string;
}

type Props = AccountAppsProps & { t: LoginTranslator; locale: string };

export function AccountAppsPage(props: Props) {
  const { t, fields, saved, apps } = props;
  return (
    <AccountFrame t={t} section="apps" fields={fields} saved={saved}>
      {apps.length === 0 && <p>{t("account.noApps")}</p>}
      <ul className="entries">
        {apps.map((app, index) => (
          <App key={app.clientId} {...props} app={app} id={`disconnect-${index + 1}`} />
        ))}
      </ul>
    </AccountFrame>
  );
}

function App({ t, timeZone, fields, confirmPath, app, id }: Props & { app: AccountApp; id: string }) {
  const { clientId, name, organizationName, disclosures, projectScopes, connectedAt, usedAt } = app;
  const gets = disclosures.length > 0 || projectScopes.length > 0;
  const shown = dayIn(t, "account.connectedOn", timeZone);
  return (
    <li>
      <p>
        <strong>
          <Name>{name}</Name>
        </strong>
      </p>
      {organizationName && (
        <p>
          <Name>{organizationName}</Name>
        </p>
      )}
      <p>{t("account.connectedOn", { date: shown(connectedAt), used: shown(usedAt) })}</p>
      <p>
        {t("account.identity")} {gets && t("continuePage.gets")}
      </p>
      {gets && <DisclosureList t={t} disclosures={disclosures} projectScopes={projectScopes} />}
      <p>
        <a id={id} href={accountHref(confirmPath, fields, { what: "disconnect-app", id: clientId })}>
          <span aria-hidden="true">{t("account.disconnect")}</span>
          <span className="hidden">{t.rich("account.disconnectOf", { ...bdi, name: plainName(name) })}</span>
        </a>
      </p>
    </li>
  );
}
