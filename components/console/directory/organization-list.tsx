// All organizations, with a search by name.
import { useTranslations } from "next-intl";
import { AddOrg } from "../../../shared/generated/operations";
import { organizationAddress } from "../../../shared/pages";
import { Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Pager } from "../lists/pager";
import { FilterSelect, SearchBox } from "../lists/search-box";
import { Table } from "../lists/table";
import { Moment } from "../parts/moment";
import type { Organization } from "./organization";
import { OrganizationState } from "./organization-state";

export const ORGANIZATION_STATES = ["active", "inactive"] as const;

export interface OrganizationListProps {
  list: ListAnswer<Organization>;
  page: number;
  searched: string | undefined;
  state: string | undefined;
  mayCreate: boolean;
}

const PATH = "/console/organizations";

export function OrganizationList({ list, page, searched, state, mayCreate }: OrganizationListProps) {
  const t = useTranslations();
  const states = ORGANIZATION_STATES.map((value) => ({ value, label: t(`directory.by.state.${value}`) }));
  return (
    <>
      <div className="head">
        <h1>{t("pages.organizations")}</h1>
        {mayCreate && (
          <FormDialog
            id="create-organization"
            label={t("directory.createOrganization")}
            triggerLook="primary"
            title={t("directory.createOrganization")}
            description={t("directory.createOrganizationHint")}
            operation={AddOrg}
            submit={t("directory.create")}
            then="/console/organizations/{id}"
          >
            <TextField name="name" label={t("directory.name")} required maxLength={200} />
          </FormDialog>
        )}
      </div>
      <SearchBox path={PATH} value={searched} label={t("directory.searchOrganizations")}>
        <FilterSelect
          name="state"
          label={t("directory.state")}
          value={state}
          options={[{ value: "", label: t("directory.any") }, ...states]}
        />
      </SearchBox>
      <Table
        caption={t("pages.organizations")}
        rows={list.result}
        keyOf={({ id }) => id}
        empty={<p>{t("directory.noOrganizations")}</p>}
        columns={[
          {
            id: "name",
            label: t("directory.name"),
            cell: ({ id, name, isDefault }) => (
              <>
                <a href={organizationAddress(id)}>
                  <Name>{name}</Name>
                </a>
                {isDefault && <p className="quiet">{t("directory.isDefault")}</p>}
              </>
            ),
          },
          { id: "domain", label: t("directory.primaryDomain"), cell: ({ primaryDomain }) => primaryDomain },
          { id: "state", label: t("directory.state"), cell: (row) => <OrganizationState state={row.state} /> },
          {
            id: "created",
            label: t("directory.created"),
            cell: ({ details }) => <Moment at={Date.parse(details.creationDate)} />,
          },
        ]}
      />
      <Pager path={PATH} query={{ q: searched, state }} page={page} total={Number(list.details.totalResult)} />
    </>
  );
}
