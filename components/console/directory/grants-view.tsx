// The roles somebody has in projects of the organization.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import { ActionButton } from "../action-button";
import { ConfirmButton } from "../confirm-button";
import { Table } from "../table";
import type { UserGrant } from "./grant";
import { GrantDialog } from "./grant-dialog";
import { nameOf, type User } from "./user";

export interface GrantsViewProps {
  user: User;
  grants: readonly UserGrant[];
  mayWrite: boolean;
}

export function GrantsView({ user, grants, mayWrite }: GrantsViewProps) {
  const t = useTranslations();
  const operation = `/management/v1/users/${encodeURIComponent(user.id)}/grants`;
  const name = nameOf(user);
  return (
    <section aria-labelledby="grants" className="section">
      <div className="head">
        <h2 id="grants">{t("directory.by.view.grants")}</h2>
        {mayWrite && <GrantDialog operation={operation} name={name} />}
      </div>
      <Table
        caption={t("directory.by.view.grants")}
        rows={grants}
        keyOf={({ id }) => id}
        empty={<p>{t("directory.noGrants")}</p>}
        columns={[
          { id: "project", label: t("directory.project"), cell: ({ projectName }) => <Name>{projectName}</Name> },
          {
            id: "roles",
            label: t("directory.roles"),
            cell: ({ roleKeys }) => roleKeys.map((key) => <code key={key}>{`${key} `}</code>),
          },
          {
            id: "state",
            label: t("directory.state"),
            cell: ({ state }) => {
              const isActive = state === "USER_GRANT_STATE_ACTIVE";
              return (
                <span className={isActive ? "state good" : "state bad"}>
                  {t(`directory.by.state.${isActive ? "active" : "inactive"}`)}
                </span>
              );
            },
          },
          {
            id: "actions",
            label: t("directory.actions"),
            isQuiet: true,
            cell: ({ id, state, projectName }) => {
              const one = `${operation}/${encodeURIComponent(id)}`;
              const isActive = state === "USER_GRANT_STATE_ACTIVE";
              return (
                mayWrite && (
                  <div className="buttons">
                    <ActionButton
                      id={`turn-${id}`}
                      label={isActive ? t("directory.deactivate") : t("directory.reactivate")}
                      method="POST"
                      path={`${one}/${isActive ? "_deactivate" : "_reactivate"}`}
                      body={{}}
                      done={t("directory.saved")}
                    />
                    <ConfirmButton
                      id={`remove-${id}`}
                      label={t("directory.remove")}
                      title={t("directory.removeGrantTitle", { name, project: projectName })}
                      text={<p>{t("directory.removeGrantText")}</p>}
                      method="DELETE"
                      path={one}
                      done={t("directory.removed")}
                    />
                  </div>
                )
              );
            },
          },
        ]}
      />
    </section>
  );
}
