// A table of rows of the same kind: one line of 44 px for each row, on a phone a small card. Sorting uses links, so
// that each order has an address.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  label: string;
  cell(row: Row): ReactNode;
  /**
   * `text` shares the width and cuts its value with an ellipsis; `fit`, the default of buttons, is as wide as its
   * value; `lines`, the default of others, wraps.
   */
  size?: "text" | "fit" | "lines";
  /** Whether a text is as wide as the first one. */
  isWide?: boolean;
  /** The value in full, for the tooltip of a value that may be cut. */
  title?(row: Row): string | undefined;
  /** Whether the value needs no label on a phone. */
  isPlain?: boolean;
  /** Whether the value is a state, which is next to the name on a phone. */
  isBadge?: boolean;
  /** Whether there is no room for it in a narrow list. */
  isMinor?: boolean;
  /** Whether the reader chooses if the column is shown, and the default; undefined: it is always shown. */
  choice?: "shown" | "hidden";
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
  /** The row whose details are shown next to the table. */
  openKey?: string;
  /** Shown if there are no rows; explains the next step. */
  empty: ReactNode;
}

export function Table<Row>({ caption, columns, rows, keyOf, openKey, empty }: TableProps<Row>) {
  if (rows.length === 0) return <div className="card empty">{empty}</div>;
  return (
    <div className="table-frame">
      <table className="table">
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} aria-current={openKey === keyOf(row) ? "true" : undefined}>
              {columns.map((column) => (
                <td key={column.id} className={classOf(column)}>
                  {!column.isQuiet && !column.isPlain && !column.isBadge && (
                    <span className="cell-label" aria-hidden="true">
                      {column.label}
                    </span>
                  )}
                  <div className="cell" title={column.title?.(row)}>
                    {column.cell(row)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ head, size, isQuiet, isWide, isBadge, isMinor }: Column<Row>): string {
  const sized = size ?? (isQuiet ? "fit" : "lines");
  return [head ? "box" : sized, isBadge && "badge-cell", isWide && "wide", isMinor && "minor"]
    .filter(Boolean)
    .join(" ");
}

function Head<Row>({ column }: { column: Column<Row> }) {
  const t = useTranslations();
  const { label, head, sortHref, sorted, isQuiet } = column;
  return (
    <th scope="col" className={classOf(column)} aria-sort={sortHref === undefined ? undefined : (sorted ?? "none")}>
      {sortHref === undefined ? (
        (head ?? <span className={isQuiet ? "hidden" : undefined}>{label}</span>)
      ) : (
        <a href={sortHref}>
          {label} <span aria-hidden="true">{sorted === "ascending" ? "↑" : sorted === "descending" ? "↓" : "↕"}</span>
          <span className="hidden"> {t("frame.sort")}</span>
        </a>
      )}
    </th>
  );
}
