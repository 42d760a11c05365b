// The users of one or all organizations: searched by any word of their names, login name, email address or phone
// number, filtered and sorted by the address of the page, with bulk actions.
import { useTranslations } from "next-intl";
import { organizationAddress, pageAddress } from "../../../shared/pages";
import { LoginName } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { countActive, FilterSelect } from "../lists/filters";
import { ListPage } from "../lists/list-page";
import { Pager, withQuery } from "../lists/pager";
import type { Column } from "../lists/table";
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
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function UserList(props: UserListProps) {
  const { list, page, filters, organizationId, organizationNames, may, ownId, views, toggled } = props;
  const t = useTranslations();
  const path = organizationId === undefined ? "/console/users" : pageAddress("users", organizationId);
  const isPending = filters.state === "invited";
  const { q, state, signedIn, factors, sort, order } = filters;
  const activeFilters = countActive(state, signedIn, factors);
  const isNarrowed = q !== undefined || activeFilters > 0;
  const people = list.result
    .filter(({ id }) => id !== ownId)
    .map((user) => ({ id: user.id, name: nameOf(user), organizationId: user.details.resourceOwner }));
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
    <UserSelection people={people}>
      <ListPage
        title={t(organizationId === undefined ? "pages.everybody" : "pages.users")}
        head={mayAdd && <AddButtons path={path} />}
        name="users"
        toggled={toggled}
        path={path}
        search={{ label: t("directory.searchUsers"), value: q }}
        query={{ sort, order }}
        filters={<Filters filters={filters} />}
        activeFilters={activeFilters}
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
        bulk={may && <BulkBar may={may} isPending={isPending} />}
        pager={<Pager path={path} query={queryOf(filters)} page={page} total={Number(list.details.totalResult)} />}
      >
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
      </ListPage>
    </UserSelection>
  );
}

/** Returns the query text in a fixed order, so that views can be compared. */
const queryText = (filters: UserFilters): string => withQuery("", queryOf(filters)).replace("?", "");

function AddButtons({ path }: { path: string }) {
  const t = useTranslations();
  return (
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
  );
}

function Filters({ filters: { state, signedIn, factors } }: Pick<UserListProps, "filters">) {
  const t = useTranslations();
  return (
    <>
      <FilterSelect
        name="state"
        label={t("directory.state")}
        value={state}
        options={STATE_FILTERS.map((value) => ({ value, label: t(`directory.by.userState.${value}`) }))}
      />
      <FilterSelect
        name="signedIn"
        label={t("directory.lastSignIn")}
        value={signedIn}
        options={SIGN_IN_FILTERS.map((value) => ({ value, label: t(`directory.by.lastSignIn.${value}`) }))}
      />
      <FilterSelect
        name="factors"
        label={t("directory.secondFactors")}
        value={factors}
        options={FACTOR_FILTERS.map((value) => ({ value, label: t(`directory.by.hasFactor.${value}`) }))}
      />
    </>
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
  const nameOfOrganization = ({ details: { resourceOwner } }: User) =>
    organizationNames?.get(resourceOwner) ?? resourceOwner;
  const organization: Column<User> = {
    id: "organization",
    label: t("pages.organization"),
    text: nameOfOrganization,
    href: (user) => organizationAddress(user.details.resourceOwner),
  };
  const invitation: Column<User> = {
    id: "actions",
    label: t("directory.actions"),
    size: "fit",
    isQuiet: true,
    cell: (user) => <InvitationButtons userId={user.id} name={nameOf(user)} isInRow />,
  };
  const factorNames = ({ human }: User) =>
    human?.secondFactors.map((kind) => t(`directory.by.factor.${kind}`)).join(", ") ?? "";
  return [
    {
      id: "name",
      label: t("directory.name"),
      isPlain: true,
      ...by("name"),
      text: nameOf,
      href: (user) => `${pageAddress("users", user.details.resourceOwner)}/${encodeURIComponent(user.id)}`,
    },
    {
      id: "login",
      label: t("frame.loginName"),
      isWide: true,
      isPlain: true,
      choice: "shown",
      login: ({ preferredLoginName }) => preferredLoginName,
    },
    {
      id: "email",
      label: t("directory.email"),
      size: "text",
      isPlain: true,
      choice: "hidden",
      title: ({ human }) => human?.email?.email,
      cell: ({ human }) => human?.email?.email && <LoginName isOneLine>{human.email.email}</LoginName>,
    },
    ...(isOfAll ? [organization] : []),
    {
      id: "state",
      label: t("directory.state"),
      isBadge: true,
      cell: (user) => <UserStateLabel user={user} isInList />,
    },
    {
      id: "signed-in",
      label: t("directory.lastSignIn"),
      choice: "shown",
      ...by("signedIn"),
      date: ({ human }) => human?.lastSignInDate,
      cell: () => <span className="quiet">{t("directory.never")}</span>,
    },
    {
      id: "factors",
      label: t("directory.secondFactors"),
      size: "text",
      isMinor: true,
      choice: isOfAll ? "hidden" : "shown",
      title: factorNames,
      cell: (user) => factorNames(user) || <span className="quiet">{t("directory.none")}</span>,
    },
    {
      id: "created",
      label: t("directory.created"),
      isMinor: true,
      choice: isOfAll ? "hidden" : "shown",
      ...by("created"),
      date: ({ details }) => details.creationDate,
    },
    { id: "id", label: t("directory.userId"), isMinor: true, choice: "hidden", copied: ({ id }) => id },
    ...(isPending && may?.write && !isOfAll ? [invitation] : []),
  ];
}
