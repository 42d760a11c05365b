// The machines of an organization: programs that act on their own behalf.
import { useTranslations } from "next-intl";
import { AddMachineUser } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { LongTextField, SelectField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { ListPage } from "../lists/list-page";
import { Pager } from "../lists/pager";
import { nameOf, type User } from "./user";
import { UserStateLabel } from "./user-state";

export interface MachineListProps {
  list: ListAnswer<User>;
  page: number;
  searched: string | undefined;
  organizationId: string;
  mayWrite: boolean;
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function MachineList({ list, page, searched, organizationId, mayWrite, toggled }: MachineListProps) {
  const t = useTranslations();
  const path = pageAddress("machines", organizationId);
  return (
    <ListPage
      title={t("pages.machines")}
      head={
        mayWrite && (
          <FormDialog
            id="create-machine"
            label={t("directory.createMachine")}
            triggerLook="primary"
            description={t("directory.createMachineHint")}
            operation={AddMachineUser}
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
        )
      }
      name="machines"
      toggled={toggled}
      path={path}
      search={{ label: t("directory.searchMachines"), value: searched }}
      rows={list.result}
      keyOf={({ id }) => id}
      empty={<p>{t(searched ? "directory.noSuchMachines" : "directory.noMachines")}</p>}
      columns={[
        {
          id: "name",
          label: t("directory.name"),
          isPlain: true,
          text: nameOf,
          href: (user) => `${path}/${encodeURIComponent(user.id)}`,
        },
        {
          id: "description",
          label: t("directory.description"),
          size: "text",
          isPlain: true,
          choice: "shown",
          title: ({ machine }) => machine?.description,
          cell: ({ machine }) => machine?.description && <Name>{machine.description}</Name>,
        },
        { id: "user", label: t("directory.userName"), choice: "shown", copied: ({ userName }) => userName },
        {
          id: "state",
          label: t("directory.state"),
          isBadge: true,
          cell: (user) => <UserStateLabel user={user} isInList />,
        },
        { id: "created", label: t("directory.created"), choice: "shown", date: ({ details }) => details.creationDate },
      ]}
      pager={<Pager path={path} query={{ q: searched }} page={page} total={Number(list.details.totalResult)} />}
    />
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
