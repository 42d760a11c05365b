// A project of another organization that is granted to this one: the users who have its roles here, and who gives them.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Name } from "../../ui/user-text";
import { Views } from "../parts/views";
import { GrantedRoleList, GrantedState } from "./granted-parts";
import type { GrantedProject } from "./project";

const VIEW_NAMES = { grants: "apps.grants", members: "pages.members" } as const;

export interface GrantedPageProps {
  /** Address of the organization's pages. */
  base: string;
  grant: GrantedProject;
  views: readonly (keyof typeof VIEW_NAMES)[];
  view: string;
  children: ReactNode;
}

export function GrantedPage({ base, grant, views, view, children }: GrantedPageProps) {
  const t = useTranslations();
  const here = `${base}/projects/${encodeURIComponent(grant.projectId)}`;
  return (
    <>
      <p className="crumb">
        <a href={`${base}/projects`}>{t("pages.projects")}</a>
      </p>
      <div className="head">
        <h1>
          <Name>{grant.projectName}</Name>
        </h1>
        <GrantedState grant={grant} />
      </div>
      <p className="lead">
        {t("apps.owner")}: <Name>{grant.projectOwnerName}</Name>. {t("apps.roles")}: <GrantedRoleList grant={grant} />
      </p>
      {views.length > 1 && (
        <Views
          view={view}
          views={views.map((name) => ({ name, label: t(VIEW_NAMES[name]), href: `${here}?view=${name}` }))}
        />
      )}
      {children}
    </>
  );
}
