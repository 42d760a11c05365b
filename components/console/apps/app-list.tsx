// The apps of an organization, with name, kind, client id and warnings.
import { useTranslations } from "next-intl";
import type { ListAnswer } from "../calls/list";
import { ListPage } from "../lists/list-page";
import { Pager } from "../lists/pager";
import { type App, clientIdOf } from "./app";
import { AppWarnings } from "./app-warnings";
import { kindOf } from "./kinds";
import { VouchingBadges } from "./vouching";

export interface AppListProps {
  /** Address of the organization's pages. */
  base: string;
  apps: ListAnswer<App>;
  search: string | undefined;
  page: number;
  mayCreate: boolean;
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function AppList({ base, apps, search, page, mayCreate, toggled }: AppListProps) {
  const t = useTranslations();
  const path = `${base}/apps`;
  const address = ({ projectId, id }: App) =>
    `${base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(id)}`;
  return (
    <ListPage
      title={t("pages.apps")}
      head={
        <>
          <p className="lead">{t("apps.lead")}</p>
          {mayCreate && (
            <a className="button primary" id="add-app" href={`${path}/new`}>
              {t("apps.add")}
            </a>
          )}
        </>
      }
      name="apps"
      toggled={toggled}
      path={path}
      search={{ label: t("apps.searchLabel"), value: search }}
      rows={apps.result}
      keyOf={({ id }) => id}
      empty={<p>{search ? t("apps.noneFound") : t("apps.none")}</p>}
      columns={[
        { id: "name", label: t("apps.name"), isPlain: true, text: ({ name }) => name, href: (app) => address(app) },
        {
          id: "kind",
          label: t("apps.kind"),
          size: "text",
          isPlain: true,
          choice: "shown",
          title: (app) => t(`apps.by.kindName.${kindOf(app)}`),
          cell: (app) => t(`apps.by.kindName.${kindOf(app)}`),
        },
        { id: "project", label: t("apps.project"), choice: "shown", text: ({ projectName }) => projectName },
        { id: "client", label: t("apps.clientId"), choice: "shown", copied: clientIdOf },
        { id: "state", label: t("apps.state"), isBadge: true, cell: (app) => <AppState app={app} isInList /> },
        {
          id: "signed-in",
          label: t("directory.lastSignIn"),
          choice: "shown",
          date: ({ lastSignInDate }) => lastSignInDate,
          // Not "never": attempts are only kept for a limited time.
          cell: () => <span className="quiet">–</span>,
        },
      ]}
      pager={<Pager path={path} query={{ q: search }} page={page} total={Number(apps.details.totalResult)} />}
    />
  );
}

interface AppStateProps {
  app: App;
  /** Whether the app belongs to an organization other than the viewer's. */
  isForeign?: boolean;
  /** Whether to show only what differs from most apps. */
  isInList?: boolean;
}

export function AppState({ app, isForeign, isInList }: AppStateProps) {
  const t = useTranslations();
  const isActive = app.state === "APP_STATE_ACTIVE";
  return (
    <span className="states">
      {!(isActive && isInList) && (
        <span className={isActive ? "state good" : "state bad"}>
          {isActive ? t("apps.active") : t("apps.inactive")}
        </span>
      )}
      {isForeign && <span className="state">{t("apps.foreign")}</span>}
      <VouchingBadges app={app} />
      <AppWarnings problems={app.oidcConfig?.complianceProblems ?? []} isBrief />
    </span>
  );
}
