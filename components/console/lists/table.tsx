// A table of rows of the same kind. On a phone, each row is a card with the column names next to the values. Sorting
// uses links, so that each order has an address.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  label: string;
  cell(row: Row): ReactNode;
  /** The address of the page sorted by this column; without it the column cannot be sorted. */
  sortHref?: string;
  sorted?: "ascending" | "descending";
  /** Whether the label is for screen readers only. */
  isQuiet?: boolean;
  /** Replaces the label in the table head, for a column of selection boxes. */
  head?: ReactNode;
}

export interface TableProps<Row> {
  /** What the table lists. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Shown if there are no rows; explains the next step. */
  empty: ReactNode;
}

export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>) {
  const t = useTranslations();
  if (rows.length === 0) return <div className="card empty">{empty}</div>;
  return (
    <table className="table">
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ id, label, head, sortHref, sorted, isQuiet }) => (
            <th
              key={id}
              scope="col"
              className={head ? "box" : undefined}
              aria-sort={sortHref === undefined ? undefined : (sorted ?? "none")}
            >
              {sortHref === undefined ? (
                (head ?? <span className={isQuiet ? "hidden" : undefined}>{label}</span>)
              ) : (
                <a href={sortHref}>
                  {label}{" "}
                  <span aria-hidden="true">{sorted === "ascending" ? "↑" : sorted === "descending" ? "↓" : "↕"}</span>
                  <span className="hidden"> {t("frame.sort")}</span>
                </a>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ id, label, head, cell, isQuiet }) => (
              <td key={id} className={head ? "box" : undefined}>
                {!isQuiet && (
                  <span className="cell-label" aria-hidden="true">
                    {label}
                  </span>
                )}
                <div className="cell">{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
