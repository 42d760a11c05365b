// All organizations, with a search by name.
import { useTranslations } from "next-intl";
import { AddOrg } from "../../../shared/generated/operations";
import { organizationAddress } from "../../../shared/pages";
import { Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { countActive, FilterSelect } from "../lists/filters";
import { ListPage } from "../lists/list-page";
import { Pager } from "../lists/pager";
import type { Organization } from "./organization";
import { OrganizationState } from "./organization-state";

export const ORGANIZATION_STATES = ["active", "inactive"] as const;

export interface OrganizationListProps {
  list: ListAnswer<Organization>;
  page: number;
  searched: string | undefined;
  state: string | undefined;
  mayCreate: boolean;
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

const PATH = "/console/organizations";

export function OrganizationList({ list, page, searched, state, mayCreate, toggled }: OrganizationListProps) {
  const t = useTranslations();
  const states = ORGANIZATION_STATES.map((value) => ({ value, label: t(`directory.by.state.${value}`) }));
  return (
    <ListPage
      title={t("pages.organizations")}
      head={
        mayCreate && (
          <FormDialog
            id="create-organization"
            label={t("directory.createOrganization")}
            triggerLook="primary"
            description={t("directory.createOrganizationHint")}
            operation={AddOrg}
            submit={t("directory.create")}
            then="/console/organizations/{id}"
          >
            <TextField name="name" label={t("directory.name")} required maxLength={200} />
          </FormDialog>
        )
      }
      name="organizations"
      toggled={toggled}
      path={PATH}
      search={{ label: t("directory.searchOrganizations"), value: searched }}
      filters={<FilterSelect name="state" label={t("directory.state")} value={state} options={states} />}
      activeFilters={countActive(state)}
      rows={list.result}
      keyOf={({ id }) => id}
      empty={<p>{t("directory.noOrganizations")}</p>}
      columns={[
        {
          id: "name",
          label: t("directory.name"),
          size: "text",
          isPlain: true,
          title: ({ name }) => name,
          cell: ({ id, name, isDefault }) => (
            <>
              <a href={organizationAddress(id)}>
                <Name>{name}</Name>
              </a>
              {isDefault && <span className="quiet"> · {t("directory.isDefault")}</span>}
            </>
          ),
        },
        {
          id: "domain",
          label: t("directory.primaryDomain"),
          size: "text",
          isPlain: true,
          choice: "shown",
          title: ({ primaryDomain }) => primaryDomain,
          cell: ({ primaryDomain }) => primaryDomain,
        },
        { id: "id", label: t("apps.organizationId"), isMinor: true, choice: "hidden", copied: ({ id }) => id },
        {
          id: "state",
          label: t("directory.state"),
          isBadge: true,
          cell: (row) => row.state !== "ORG_STATE_ACTIVE" && <OrganizationState state={row.state} />,
        },
        { id: "created", label: t("directory.created"), choice: "shown", date: ({ details }) => details.creationDate },
      ]}
      pager={<Pager path={PATH} query={{ q: searched, state }} page={page} total={Number(list.details.totalResult)} />}
    />
  );
}
