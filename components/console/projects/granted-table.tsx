// The projects of other organizations whose roles this one can give to its own people.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import { Table } from "../lists/table";
import { GrantedRoleList, GrantedState } from "./granted-parts";
import type { GrantedProject } from "./project";

/** Renders nothing if no project is granted. @param base the address of the organization's pages */
export function GrantedTable({ base, grants }: { base: string; grants: readonly GrantedProject[] }) {
  const t = useTranslations();
  const title = t("apps.grantedProjects");
  if (grants.length === 0) return null;
  return (
    <section aria-labelledby="granted" className="section">
      <h2 id="granted">{title}</h2>
      <p>{t("apps.grantedProjectsHint")}</p>
      <Table
        caption={title}
        rows={grants}
        keyOf={({ grantId }) => grantId}
        empty={null}
        columns={[
          {
            id: "name",
            label: t("apps.projectName"),
            cell: ({ projectId, projectName }) => (
              <a href={`${base}/projects/${encodeURIComponent(projectId)}`}>
                <Name>{projectName}</Name>
              </a>
            ),
          },
          { id: "owner", label: t("apps.owner"), cell: ({ projectOwnerName }) => <Name>{projectOwnerName}</Name> },
          { id: "id", label: t("apps.projectId"), cell: ({ projectId }) => <code>{projectId}</code> },
          { id: "roles", label: t("apps.roles"), cell: (grant) => <GrantedRoleList grant={grant} /> },
          { id: "state", label: t("apps.state"), cell: (grant) => <GrantedState grant={grant} /> },
        ]}
      />
    </section>
  );
}
