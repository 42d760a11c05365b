// The apps to which a user has granted access, and the agents that act for the user: the permissions of each, and how
// to end it.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../../messages/login";
import type { Disclosure } from "../../../server/protocol/consent-required";
import type { ScopeDescriptions } from "../../../server/protocol/project-scope";
import { linkTarget } from "../../ui/links";
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
  /** Where the app starts a sign-in by itself. */
  startHref?: string;
}

/** Someone who acts for the user by way of an app. */
export interface AccountAgent {
  id: string;
  /** Undefined for an administrator. */
  name?: string;
  app: AccountApp;
}

type Opened = Pick<AccountApp, "name" | "startHref">;

export interface AccountAppsProps {
  fields: AccountFields;
  confirmPath: string;
  saved: boolean;
  timeZone: string;
  apps: readonly AccountApp[];
  agents: readonly AccountAgent[];
  /** Further apps that the user may use. */
  others?: readonly Opened[];
  organizationName?: string;
}

type Props = AccountAppsProps & { t: LoginTranslator; locale: string };

export function AccountAppsPage(props: Props) {
  const { t, fields, saved, apps, agents, others = [] } = props;
  return (
    <AccountFrame t={t} section="apps" fields={fields} saved={saved}>
      {apps.length === 0 && <p>{t("account.noApps")}</p>}
      <ul className="entries">
        {apps.map((app, index) => (
          <Access
            key={app.clientId}
            {...props}
            access={app}
            name={app.name}
            note={app.organizationName && <Name>{app.organizationName}</Name>}
            end={{ id: `disconnect-${index + 1}`, of: app.clientId, ...DISCONNECT }}
          />
        ))}
      </ul>
      {agents.length > 0 && (
        <section aria-labelledby="agents-section">
          <h2 id="agents-section">{t("account.agents")}</h2>
          <ul className="entries">
            {agents.map(({ id, name, app }, index) => (
              <Access
                key={id}
                {...props}
                access={app}
                name={agentName(t, name)}
                note={t.rich("account.agentBy", { ...bdi, app: plainName(app.name) })}
                end={{ id: `stop-${index + 1}`, of: id, ...STOP }}
              />
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && <h2>{t("account.otherApps")}</h2>}
      {others.length > 0 && (
        <ul className="entries">
          {others.map((app) => (
            <li key={app.startHref}>
              <p>
                <strong>
                  <Name>{app.name}</Name>
                </strong>
              </p>
              <Open t={t} app={app} />
            </li>
          ))}
        </ul>
      )}
    </AccountFrame>
  );
}

const DISCONNECT = {
  what: "disconnect-app",
  label: "account.disconnect",
  labelOf: "account.disconnectOf",
} as const;
const STOP = { what: "stop-agent", label: "account.stopAgent", labelOf: "account.stopAgentOf" } as const;

export const agentName = (t: LoginTranslator, name: string | undefined): string =>
  name === undefined ? t("account.administrator") : plainName(name);

interface AccessProps extends Props {
  /** The permissions and times. */
  access: AccountApp;
  name: string;
  note: ReactNode;
  /** The link that ends it. */
  end: { id: string; of: string } & (typeof DISCONNECT | typeof STOP);
}

function Open({ t, app: { name, startHref } }: { t: LoginTranslator; app: Opened }) {
  const href = linkTarget(startHref);
  if (href === undefined) return null;
  return (
    <p>
      <a href={href} rel="noreferrer">
        <span aria-hidden="true">{t("account.openApp")}</span>
        <span className="hidden">{t.rich("account.openAppOf", { ...bdi, name: plainName(name) })}</span>
      </a>
    </p>
  );
}

function Access({ t, timeZone, fields, confirmPath, access, name, note, end }: AccessProps) {
  const { disclosures, projectScopes, connectedAt, usedAt } = access;
  const gets = disclosures.length > 0 || projectScopes.length > 0;
  const shown = dayIn(t, "account.connectedOn", timeZone);
  return (
    <li>
      <p>
        <strong>
          <Name>{name}</Name>
        </strong>
      </p>
      {note && <p>{note}</p>}
      <p>{t("account.connectedOn", { date: shown(connectedAt), used: shown(usedAt) })}</p>
      <p>
        {t("account.identity")} {gets && t("continuePage.gets")}
      </p>
      {gets && <DisclosureList t={t} disclosures={disclosures} projectScopes={projectScopes} />}
      <Open t={t} app={access} />
      <p>
        <a id={end.id} href={accountHref(confirmPath, fields, { what: end.what, id: end.of })}>
          <span aria-hidden="true">{t(end.label)}</span>
          <span className="hidden">{t.rich(end.labelOf, { ...bdi, name: plainName(name) })}</span>
        </a>
      </p>
    </li>
  );
}
