// A table of rows of the same kind: one line of 44 px for each row, on a phone a small card. Sorting uses links, so
// that each order has an address.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LoginName, Name } from "../../ui/user-text";
import { CopyValue } from "../parts/copy-value";
import { Ago, Moment } from "../parts/moment";

/** A column has a text, a login name, a date, a value to copy, or a cell of its own. */
export interface Column<Row> {
  id: string;
  label: string;
  /** A name, which may be cut; the tooltip has it in full. */
  text?(row: Row): string | undefined;
  /** The page that the text links to. */
  href?(row: Row): string;
  /** A login name or an email address. */
  login?(row: Row): string | undefined;
  /** A time in ISO 8601, shown relative to now. */
  date?(row: Row): string | undefined;
  /** A time in ISO 8601, shown in full. */
  moment?(row: Row): string | undefined;
  /** A value that programs need. */
  copied?(row: Row): string;
  /** Anything else, or what a row shows that has none of these. */
  cell?(row: Row): ReactNode;
  /**
   * `text`, the default of texts, shares the width and cuts its value with an ellipsis; `fit`, the default of dates,
   * of values to copy and of states, is as wide as its value; `lines`, the default of others, wraps.
   */
  size?: "text" | "fit" | "lines";
  /** Whether a text is as wide as the first one. */
  isWide?: boolean;
  /** The value in full, for the tooltip of a cell that may be cut. */
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
  /** The buttons at the end of a row. */
  actions?(row: Row): ReactNode;
}

export function Table<Row>({ caption, columns: contents, rows, keyOf, openKey, empty, actions }: TableProps<Row>) {
  const t = useTranslations();
  if (rows.length === 0) return <div className="card empty">{empty}</div>;
  const label = t("directory.actions");
  const buttons = { id: "actions", label, size: "fit", isQuiet: true, cell: actions } as const;
  const columns: readonly Column<Row>[] = actions ? [...contents, buttons] : contents;
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
                  <div className="cell" title={(column.title ?? column.text ?? column.login)?.(row)}>
                    <Content column={column} row={row} />
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

function Content<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { text, href, login, date, moment, copied, cell, label } = column;
  const name = text?.(row);
  if (name) {
    const shown = <Name>{name}</Name>;
    return href ? <a href={href(row)}>{shown}</a> : shown;
  }
  const loginName = login?.(row);
  if (loginName) return <LoginName isOneLine>{loginName}</LoginName>;
  const day = date?.(row);
  if (day !== undefined) return <Ago at={Date.parse(day)} />;
  const at = moment?.(row);
  if (at !== undefined) return <Moment at={Date.parse(at)} />;
  if (copied) return <CopyValue value={copied(row)} label={label} isBrief />;
  return cell?.(row);
}

function classOf<Row>({ head, size, text, login, date, copied, isWide, isBadge, isMinor }: Column<Row>): string {
  const usual = text || login ? "text" : date || copied || isBadge ? "fit" : "lines";
  return [head ? "box" : (size ?? usual), isBadge && "badge-cell", isWide && "wide", isMinor && "minor"]
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
