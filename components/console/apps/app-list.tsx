// The apps of an organization, with name, kind, client id and warnings.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { Pager } from "../lists/pager";
import { SearchBox } from "../lists/search-box";
import { Table } from "../lists/table";
import { CopyValue } from "../parts/copy-value";
import { Moment } from "../parts/moment";
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
}

export function AppList({ base, apps, search, page, mayCreate }: AppListProps) {
  const t = useTranslations();
  const path = `${base}/apps`;
  const address = ({ projectId, id }: App) =>
    `${base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(id)}`;
  return (
    <>
      <div className="head">
        <h1>{t("pages.apps")}</h1>
        {mayCreate && (
          <a className="button primary" id="add-app" href={`${path}/new`}>
            {t("apps.add")}
          </a>
        )}
      </div>
      <p className="lead">{t("apps.lead")}</p>
      <SearchBox path={path} value={search} label={t("apps.searchLabel")} />
      <Table
        caption={t("pages.apps")}
        rows={apps.result}
        keyOf={({ id }) => id}
        empty={<p>{search ? t("apps.noneFound") : t("apps.none")}</p>}
        columns={[
          {
            id: "name",
            label: t("apps.name"),
            cell: (app) => (
              <a href={address(app)}>
                <Name>{app.name}</Name>
              </a>
            ),
          },
          { id: "kind", label: t("apps.kind"), cell: (app) => t(`apps.by.kindName.${kindOf(app)}`) },
          { id: "project", label: t("apps.project"), cell: ({ projectName }) => <Name>{projectName}</Name> },
          {
            id: "client",
            label: t("apps.clientId"),
            cell: (app) => <CopyValue value={clientIdOf(app)} label={t("apps.clientId")} />,
          },
          { id: "state", label: t("apps.state"), cell: (app) => <AppState app={app} /> },
          {
            id: "signed-in",
            label: t("directory.lastSignIn"),
            // Not "never": attempts are only kept for a limited time.
            cell: ({ lastSignInDate }) =>
              lastSignInDate ? <Moment at={Date.parse(lastSignInDate)} /> : <span className="quiet">–</span>,
          },
        ]}
      />
      <Pager path={path} query={{ q: search }} page={page} total={Number(apps.details.totalResult)} />
    </>
  );
}

/** @param props.isForeign whether the app belongs to an organization other than the viewer's */
export function AppState({ app, isForeign }: { app: App; isForeign?: boolean }) {
  const t = useTranslations();
  const isActive = app.state === "APP_STATE_ACTIVE";
  return (
    <span className="states">
      <span className={isActive ? "state good" : "state bad"}>{isActive ? t("apps.active") : t("apps.inactive")}</span>
      {isForeign && <span className="state">{t("apps.foreign")}</span>}
      <VouchingBadges app={app} />
      <AppWarnings problems={app.oidcConfig?.complianceProblems ?? []} isBrief />
    </span>
  );
}
