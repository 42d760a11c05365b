// Reads a file of users, JSON or CSV (RFC 4180), in the browser, for the bulk import.
import Papa from "papaparse";
import { USER_COLUMNS, userOfRow } from "../../../shared/user-columns";

export type ImportedUser = Record<string, unknown>;

export const COLUMN_NAMES = Object.keys(USER_COLUMNS);

/**
 * Returns the name of a member for users: its column, or the member itself if it has none.
 * @param field the path, such as `profile.firstName`
 */
export function columnOf(field: string): string {
  return COLUMN_NAMES.find((name) => USER_COLUMNS[name]?.join(".") === field) ?? field;
}

/** Returns the users in the file; undefined if it is neither a list of users nor a table with known columns. */
export function parsePeople(text: string): ImportedUser[] | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("[") || trimmed.startsWith("{")) return readJson(trimmed);
  const [head = [], ...rows] = parseCsv(trimmed);
  const names = head.map((name) => name.trim());
  if (!names.includes("userName") || names.some((name) => !(name in USER_COLUMNS))) return undefined;
  return rows.map((row) => userOfRow(names, row));
}

function readJson(text: string): ImportedUser[] | undefined {
  try {
    const parsed = JSON.parse(text) as unknown;
    const users = Array.isArray(parsed) ? parsed : (parsed as { users?: unknown }).users;
    const isList = Array.isArray(users) && users.every((user) => typeof user === "object" && user !== null);
    return isList ? (users as ImportedUser[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses CSV (RFC 4180 §2): quoted fields may contain commas and line breaks. Empty rows are omitted. */
export function parseCsv(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replaceAll("\r\n", "\n"), { delimiter: ",", newline: "\n" });
  return data.filter((row) => row.some((value) => value !== ""));
}
