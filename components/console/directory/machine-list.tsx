// The machines of an organization: programs that act on their own behalf.
import { useTranslations } from "next-intl";
import { AddMachineUser } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { LongTextField, SelectField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Pager } from "../lists/pager";
import { SearchBox } from "../lists/search-box";
import { Table } from "../lists/table";
import { Moment } from "../parts/moment";
import { nameOf, type User } from "./user";
import { UserStateLabel } from "./user-state";

export interface MachineListProps {
  list: ListAnswer<User>;
  page: number;
  searched: string | undefined;
  organizationId: string;
  mayWrite: boolean;
}

export function MachineList({ list, page, searched, organizationId, mayWrite }: MachineListProps) {
  const t = useTranslations();
  const path = pageAddress("machines", organizationId);
  return (
    <>
      <div className="head">
        <h1>{t("pages.machines")}</h1>
        {mayWrite && (
          <FormDialog
            id="create-machine"
            label={t("directory.createMachine")}
            triggerLook="primary"
            title={t("directory.createMachine")}
            description={t("directory.createMachineHint")}
            operation={AddMachineUser}
            submit={t("directory.createMachine")}
            then={`${path}/{userId}`}
          >
            <TextField name="name" label={t("directory.name")} required maxLength={200} />
            <TextField
              name="userName"
              label={t("directory.userName")}
              hint={t("directory.machineUserNameHint")}
              required
              maxLength={200}
            />
            <LongTextField name="description" label={t("directory.description")} rows={2} maxLength={500} />
            <TokenTypeField />
          </FormDialog>
        )}
      </div>
      <SearchBox path={path} value={searched} label={t("directory.searchMachines")} />
      <Table
        caption={t("pages.machines")}
        rows={list.result}
        keyOf={({ id }) => id}
        empty={<p>{t(searched ? "directory.noSuchMachines" : "directory.noMachines")}</p>}
        columns={[
          {
            id: "name",
            label: t("directory.name"),
            cell: (user) => (
              <>
                <a href={`${path}/${encodeURIComponent(user.id)}`}>
                  <Name>{nameOf(user)}</Name>
                </a>
                {user.machine?.description && (
                  <p className="quiet">
                    <Name>{user.machine.description}</Name>
                  </p>
                )}
              </>
            ),
          },
          { id: "user", label: t("directory.userName"), cell: ({ userName }) => <code>{userName}</code> },
          { id: "state", label: t("directory.state"), cell: (user) => <UserStateLabel user={user} /> },
          {
            id: "created",
            label: t("directory.created"),
            cell: ({ details }) => <Moment at={Date.parse(details.creationDate)} />,
          },
        ]}
      />
      <Pager path={path} query={{ q: searched }} page={page} total={Number(list.details.totalResult)} />
    </>
  );
}

const TOKEN_TYPES = ["ACCESS_TOKEN_TYPE_BEARER", "ACCESS_TOKEN_TYPE_JWT"] as const;

export function TokenTypeField({ value = TOKEN_TYPES[0] }: { value?: (typeof TOKEN_TYPES)[number] }) {
  const t = useTranslations();
  return (
    <SelectField
      name="accessTokenType"
      label={t("directory.tokenType")}
      value={value}
      options={TOKEN_TYPES.map((type) => ({ value: type, label: t(`directory.by.tokenType.${type}`) }))}
    />
  );
}
