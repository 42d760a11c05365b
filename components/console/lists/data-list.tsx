// A list of the console: one line with the search field, the filters and the choice of columns, then the table. The
// search form uses GET, so that it works without scripts and each search has an address.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "../parts/button";
import { Icon } from "../parts/icons";
import { ColumnChooser } from "./column-chooser";
import type { ListName } from "./columns";
import { FilterForm, FilterPanel } from "./filter-form";
import { Table, type TableProps } from "./table";

export interface DataListProps<Row> extends TableProps<Row> {
  name: ListName;
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
  children?: ReactNode;
  /** Next to the table: the details of a row. */
  aside?: ReactNode;
}

export function DataList<Row>(props: DataListProps<Row>) {
  const { name, toggled, columns, children, aside, ...rest } = props;
  const isShown = ({ id, choice }: (typeof columns)[number]) => (choice === "hidden") === toggled.includes(id);
  const optional = columns.filter(({ choice }) => choice !== undefined);
  const choices = optional.map(({ id, label, choice }) => ({ id, label, isDefault: choice === "shown" }));
  const shown = columns.filter((column) => column.choice === undefined || isShown(column));
  const { path, search, query, filters, activeFilters, hasMoreFilters, ...table } = rest;
  return (
    <>
      <Tools {...{ path, search, query, filters, activeFilters, hasMoreFilters }}>
        {choices.length > 0 && table.rows.length > 0 && (
          <ColumnChooser list={name} choices={choices} toggled={toggled} />
        )}
      </Tools>
      {children}
      {aside ? (
        <div className="with-aside">
          <Table {...table} columns={shown} />
          {aside}
        </div>
      ) : (
        <Table {...table} columns={shown} />
      )}
    </>
  );
}

type ToolsProps = Pick<
  DataListProps<never>,
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
