// The roles of a user in the projects of the organization.
import { useTranslations } from "next-intl";
import { Table } from "../lists/table";
import type { UserGrant } from "./grant";
import { GrantDialog } from "./grant-dialog";
import { GrantButtons, type GrantPermissions, useGrantColumns } from "./grant-parts";
import { nameOf, type User } from "./user";

export interface GrantsViewProps {
  user: User;
  grants: readonly UserGrant[];
  may: GrantPermissions;
}

export function GrantsView({ user, grants, may }: GrantsViewProps) {
  const t = useTranslations();
  const name = nameOf(user);
  return (
    <section aria-labelledby="grants" className="section">
      <div className="head">
        <h2 id="grants">{t("directory.by.view.grants")}</h2>
        {may.write && <GrantDialog userId={user.id} name={name} />}
      </div>
      <Table
        caption={t("directory.by.view.grants")}
        rows={grants}
        keyOf={({ id }) => id}
        empty={<p>{t("directory.noGrants")}</p>}
        columns={[
          { id: "project", label: t("directory.project"), isPlain: true, text: ({ projectName }) => projectName },
          ...useGrantColumns(),
        ]}
        actions={(grant) => <GrantButtons grant={grant} name={name} may={may} />}
      />
    </section>
  );
}
