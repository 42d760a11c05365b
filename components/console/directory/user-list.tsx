// The people of an organization, or of all, found by any word of their names, login name, e-mail address or phone
// number.
import { useTranslations } from "next-intl";
import { LoginName, Name } from "../../ui/user-text";
import type { ListAnswer } from "../list";
import { Moment } from "../moment";
import { Pager } from "../pager";
import { organizationAddress, pageAddress } from "../pages";
import { FilterSelect, SearchBox } from "../search-box";
import { type Column, Table } from "../table";
import { nameOf, USER_STATES, type User } from "./user";
import { UserStateLabel } from "./user-state";

export interface UserListProps {
  list: ListAnswer<User>;
  page: number;
  searched: string | undefined;
  state: string | undefined;
  /** Undefined: the people of all organizations. */
  organizationId: string | undefined;
  mayWrite: boolean;
}

export function UserList({ list, page, searched, state, organizationId, mayWrite }: UserListProps) {
  const t = useTranslations();
  const path = organizationId === undefined ? "/console/users" : pageAddress("users", organizationId);
  const states = USER_STATES.map((value) => ({ value, label: t(`directory.by.userState.${value}`) }));
  const organizationOf: Column<User> = {
    id: "organization",
    label: t("pages.organization"),
    cell: ({ details: { resourceOwner } }) => <a href={organizationAddress(resourceOwner)}>{resourceOwner}</a>,
  };
  return (
    <>
      <div className="head">
        <h1>{t(organizationId === undefined ? "pages.everybody" : "pages.users")}</h1>
        {mayWrite && (
          <div className="buttons">
            <a className="button" href={`${path}/import`}>
              {t("directory.importUsers")}
            </a>
            <a className="button primary" id="create-user" href={`${path}/new`}>
              {t("directory.createUser")}
            </a>
          </div>
        )}
      </div>
      <SearchBox path={path} value={searched} label={t("directory.searchUsers")}>
        <FilterSelect
          name="state"
          label={t("directory.state")}
          value={state}
          options={[{ value: "", label: t("directory.any") }, ...states]}
        />
      </SearchBox>
      <Table
        caption={t("pages.users")}
        rows={list.result}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>{t(searched || state ? "directory.noSuchUsers" : "directory.noUsers")}</p>
            {mayWrite && !searched && !state && <a href={`${path}/new`}>{t("directory.createUser")}</a>}
          </>
        }
        columns={[
          {
            id: "name",
            label: t("directory.name"),
            cell: (user) => (
              <>
                <a href={`${pageAddress("users", user.details.resourceOwner)}/${encodeURIComponent(user.id)}`}>
                  <Name>{nameOf(user)}</Name>
                </a>
                <p className="quiet">
                  <LoginName>{user.preferredLoginName}</LoginName>
                </p>
              </>
            ),
          },
          {
            id: "email",
            label: t("directory.email"),
            cell: ({ human }) => human?.email && <LoginName>{human.email.email}</LoginName>,
          },
          ...(organizationId === undefined ? [organizationOf] : []),
          { id: "state", label: t("directory.state"), cell: (user) => <UserStateLabel user={user} /> },
          {
            id: "created",
            label: t("directory.created"),
            cell: ({ details }) => <Moment at={Date.parse(details.creationDate)} />,
          },
        ]}
      />
      <Pager path={path} query={{ q: searched, state }} page={page} total={Number(list.details.totalResult)} />
    </>
  );
}
