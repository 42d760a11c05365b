// A page with a list: its title, one line with the search field, the filters and the choice of columns, then the table
// and the links to its other pages. The search form uses GET, so that it works without scripts and each search has an
// address.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "../parts/button";
import { Icon } from "../parts/icons";
import { ColumnChooser } from "./column-chooser";
import type { ListName } from "./columns";
import { FilterForm, FilterPanel } from "./filter-form";
import { Table, type TableProps } from "./table";

export interface ListPageProps<Row> extends Omit<TableProps<Row>, "caption"> {
  name: ListName;
  /** The title of the page, and the name of the table unless that has a caption. */
  title: string;
  caption?: string;
  /** Next to the title: what the list is for, and buttons. */
  head?: ReactNode;
  /** Between the title and the search. */
  children?: ReactNode;
  /** The columns that the reader has shown or hidden (columns.ts). */
  toggled: readonly string[];
  /** The address of the list without its query. */
  path: string;
  /** The field that searches, with the current search. */
  search?: { label: string; value: string | undefined };
  /** Other parameters to keep in the query. */
  query?: Readonly<Record<string, string | undefined>>;
  /** Named controls (filters.tsx). */
  filters?: ReactNode;
  /** The number of filters that are set. */
  activeFilters?: number;
  /** Whether some filters are only shown on request. */
  hasMoreFilters?: boolean;
  /** Above the table: the actions on the selected rows. */
  bulk?: ReactNode;
  /** Next to the table: the details of a row. */
  aside?: ReactNode;
  /** The links to other pages of the list. */
  pager: ReactNode;
}

export function ListPage<Row>(props: ListPageProps<Row>) {
  const { name, title, caption = title, head, children, toggled, columns, bulk, aside, pager, ...rest } = props;
  const isShown = ({ id, choice }: (typeof columns)[number]) => (choice === "hidden") === toggled.includes(id);
  const optional = columns.filter(({ choice }) => choice !== undefined);
  const choices = optional.map(({ id, label, choice }) => ({ id, label, isDefault: choice === "shown" }));
  const shown = columns.filter((column) => column.choice === undefined || isShown(column));
  const { path, search, query, filters, activeFilters, hasMoreFilters, ...rows } = rest;
  const table = <Table {...rows} caption={caption} columns={shown} />;
  return (
    <div className={`list-page ${name}`}>
      <div className="head">
        <h1>{title}</h1>
        {head}
      </div>
      {children}
      <Tools {...{ path, search, query, filters, activeFilters, hasMoreFilters }}>
        {choices.length > 0 && rows.rows.length > 0 && (
          <ColumnChooser list={name} choices={choices} toggled={toggled} />
        )}
      </Tools>
      {bulk}
      {aside ? (
        <div className="with-aside">
          {table}
          {aside}
        </div>
      ) : (
        table
      )}
      {pager}
    </div>
  );
}

type ToolsProps = Pick<
  ListPageProps<never>,
  "path" | "search" | "query" | "filters" | "activeFilters" | "hasMoreFilters" | "children"
>;

function Tools({ path, search, query = {}, filters, activeFilters = 0, hasMoreFilters, children }: ToolsProps) {
  const t = useTranslations();
  if (!search && !filters) return children ? <div className="tools">{children}</div> : null;
  return (
    <div className="tools">
      <search>
        <FilterForm path={path}>
          {Object.entries(query).map(
            ([kept, value]) => value && <input type="hidden" key={kept} name={kept} value={value} />,
          )}
          {search && (
            <div className="search-field">
              <label htmlFor="search" className="hidden">
                {search.label}
              </label>
              <input
                type="search"
                id="search"
                name="q"
                defaultValue={search.value}
                placeholder={search.label}
                autoComplete="off"
                spellCheck={false}
              />
              <button type="submit" className="plain icon">
                <Icon name="search" />
                <span className="hidden">{t("frame.search")}</span>
              </button>
            </div>
          )}
          {filters && (
            <FilterPanel active={activeFilters} hasMore={hasMoreFilters}>
              {filters}
              {!search && <Button type="submit" label={t("frame.search")} />}
              {activeFilters > 0 && (
                <a className="clear" href={path}>
                  {t("history.clear")}
                </a>
              )}
            </FilterPanel>
          )}
        </FilterForm>
      </search>
      {children}
    </div>
  );
}
