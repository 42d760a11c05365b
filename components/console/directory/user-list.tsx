// The users of one or all organizations: searched by any word of their names, login name, email address or phone
// number, filtered and sorted by the address of the page, with bulk actions.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { organizationAddress, pageAddress } from "../../../shared/pages";
import { LoginName, Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { Pager, withQuery } from "../lists/pager";
import { FilterSelect, SearchBox } from "../lists/search-box";
import { type Column, Table } from "../lists/table";
import { Moment } from "../parts/moment";
import { BulkBar } from "./bulk-bar";
import type { BulkMay } from "./bulk-may";
import { InvitationButtons } from "./invitation-buttons";
import { SavedViews } from "./saved-views";
import { nameOf, type User } from "./user";
import {
  BUILT_IN_VIEWS,
  FACTOR_FILTERS,
  queryOf,
  SIGN_IN_FILTERS,
  type SortColumn,
  STATE_FILTERS,
  sorting,
  type UserFilters,
} from "./user-filters";
import { SelectAllUsers, SelectUser, UserSelection } from "./user-selection";
import { UserStateLabel } from "./user-state";
import type { View } from "./views";

export interface UserListProps {
  list: ListAnswer<User>;
  page: number;
  filters: UserFilters;
  /** The organization; undefined for the users of all organizations. */
  organizationId: string | undefined;
  /** The names of organizations by id, if the users of all are listed. */
  organizationNames?: ReadonlyMap<string, string>;
  /** The allowed bulk actions; undefined if users cannot be selected. */
  may: BulkMay | undefined;
  /** The visitor's id; visitors must not lock themselves out. */
  ownId: string;
  /** The visitor's saved views. */
  views: readonly View[];
}

export function UserList(props: UserListProps) {
  const { list, page, filters, organizationId, organizationNames, may, ownId, views } = props;
  const t = useTranslations();
  const path = organizationId === undefined ? "/console/users" : pageAddress("users", organizationId);
  const isPending = filters.state === "invited";
  const isNarrowed = Boolean(filters.q ?? filters.state ?? filters.signedIn ?? filters.factors);
  const people = list.result
    .filter(({ id }) => id !== ownId)
    .map((user) => ({
      id: user.id,
      name: nameOf(user),
      organizationId: user.details.resourceOwner,
    }));
  // Users are added to an organization.
  const mayAdd = organizationId !== undefined && (may?.write ?? false);
  const columns = useColumns({
    path,
    filters,
    isOfAll: organizationId === undefined,
    organizationNames,
    isPending,
    may,
  });
  const select: Column<User> = {
    id: "select",
    label: t("directory.selectAll"),
    isQuiet: true,
    head: <SelectAllUsers />,
    cell: (user) => user.id !== ownId && <SelectUser id={user.id} name={nameOf(user)} />,
  };
  return (
    <>
      <Head path={path} isOfAll={organizationId === undefined} mayAdd={mayAdd} />
      <SavedViews
        key={path}
        path={path}
        kept={views}
        query={queryText(filters)}
        builtIn={Object.entries(BUILT_IN_VIEWS).map(([name, view]) => ({
          name: t(`directory.by.savedView.${name as keyof typeof BUILT_IN_VIEWS}`),
          query: queryText(view),
        }))}
      />
      <Filters path={path} filters={filters} />
      <UserSelection people={people}>
        {may && <BulkBar may={may} isPending={isPending} />}
        <Table
          caption={t("pages.users")}
          rows={list.result}
          keyOf={({ id }) => id}
          empty={
            <>
              <p>{t(isNarrowed ? "directory.noSuchUsers" : "directory.noUsers")}</p>
              {mayAdd && !isNarrowed && <a href={`${path}/invite`}>{t("directory.invitePeople")}</a>}
            </>
          }
          columns={may ? [select, ...columns] : columns}
        />
      </UserSelection>
      <Pager path={path} query={queryOf(filters)} page={page} total={Number(list.details.totalResult)} />
    </>
  );
}

/** Returns the query text in a fixed order, so that views can be compared. */
const queryText = (filters: UserFilters): string => withQuery("", queryOf(filters)).replace("?", "");

function Head({ path, isOfAll, mayAdd }: { path: string; isOfAll: boolean; mayAdd: boolean }) {
  const t = useTranslations();
  return (
    <div className="head">
      <h1>{t(isOfAll ? "pages.everybody" : "pages.users")}</h1>
      {mayAdd && (
        <div className="buttons">
          <a className="button" href={`${path}/import`}>
            {t("directory.importUsers")}
          </a>
          <a className="button" id="create-user" href={`${path}/new`}>
            {t("directory.createUser")}
          </a>
          <a className="button primary" id="invite-people" href={`${path}/invite`}>
            {t("directory.invitePeople")}
          </a>
        </div>
      )}
    </div>
  );
}

function Filters({ path, filters }: { path: string; filters: UserFilters }) {
  const t = useTranslations();
  const any = { value: "", label: t("directory.any") };
  const { sort, order } = filters;
  return (
    <SearchBox path={path} value={filters.q} label={t("directory.searchUsers")} query={{ sort, order }}>
      <FilterSelect
        name="state"
        label={t("directory.state")}
        value={filters.state}
        options={[any, ...STATE_FILTERS.map((value) => ({ value, label: t(`directory.by.userState.${value}`) }))]}
      />
      <FilterSelect
        name="signedIn"
        label={t("directory.lastSignIn")}
        value={filters.signedIn}
        options={[any, ...SIGN_IN_FILTERS.map((value) => ({ value, label: t(`directory.by.lastSignIn.${value}`) }))]}
      />
      <FilterSelect
        name="factors"
        label={t("directory.secondFactors")}
        value={filters.factors}
        options={[any, ...FACTOR_FILTERS.map((value) => ({ value, label: t(`directory.by.hasFactor.${value}`) }))]}
      />
    </SearchBox>
  );
}

interface ColumnsOf {
  path: string;
  filters: UserFilters;
  isOfAll: boolean;
  organizationNames: ReadonlyMap<string, string> | undefined;
  isPending: boolean;
  may: BulkMay | undefined;
}

function useColumns({ path, filters, isOfAll, organizationNames, isPending, may }: ColumnsOf): Column<User>[] {
  const t = useTranslations();
  // Search results are ordered by match.
  const by = (column: SortColumn) => {
    if (filters.q !== undefined) return {};
    const { sorted, filters: next } = sorting(filters, column);
    return { sorted, sortHref: withQuery(path, queryOf(next)) };
  };
  const organization: Column<User> = {
    id: "organization",
    label: t("pages.organization"),
    cell: ({ details: { resourceOwner } }) => (
      <a href={organizationAddress(resourceOwner)}>
        <Name>{organizationNames?.get(resourceOwner) ?? resourceOwner}</Name>
      </a>
    ),
  };
  const invitation: Column<User> = {
    id: "actions",
    label: t("directory.actions"),
    isQuiet: true,
    cell: (user) => <InvitationButtons userId={user.id} name={nameOf(user)} isInRow />,
  };
  return [
    { id: "name", label: t("directory.name"), ...by("name"), cell: (user) => <WhoCell user={user} /> },
    ...(isOfAll ? [organization] : []),
    { id: "state", label: t("directory.state"), cell: (user) => <UserStateLabel user={user} isInList /> },
    {
      id: "signed-in",
      label: t("directory.lastSignIn"),
      ...by("signedIn"),
      cell: ({ human }) => orNever(human?.lastSignInDate, t("directory.never")),
    },
    {
      id: "factors",
      label: t("directory.secondFactors"),
      cell: ({ human }) => {
        const kinds = human?.secondFactors.map((kind) => t(`directory.by.factor.${kind}`)) ?? [];
        return kinds.length > 0 ? kinds.join(", ") : <span className="quiet">{t("directory.none")}</span>;
      },
    },
    {
      id: "created",
      label: t("directory.created"),
      ...by("created"),
      cell: ({ details }) => <Moment at={Date.parse(details.creationDate)} />,
    },
    ...(isPending && may?.write && !isOfAll ? [invitation] : []),
  ];
}

const orNever = (date: string | undefined, never: string): ReactNode =>
  date === undefined ? <span className="quiet">{never}</span> : <Moment at={Date.parse(date)} />;

/** Shows the email address only if it differs from the login name. */
function WhoCell({ user }: { user: User }) {
  const { preferredLoginName, human, details, id } = user;
  const email = human?.email?.email;
  return (
    <>
      <a href={`${pageAddress("users", details.resourceOwner)}/${encodeURIComponent(id)}`}>
        <Name>{nameOf(user)}</Name>
      </a>
      {nameOf(user) !== preferredLoginName && (
        <p className="quiet">
          <LoginName>{preferredLoginName}</LoginName>
        </p>
      )}
      {email !== undefined && email.toLowerCase() !== preferredLoginName.toLowerCase() && (
        <p className="quiet">
          <LoginName>{email}</LoginName>
        </p>
      )}
    </>
  );
}
