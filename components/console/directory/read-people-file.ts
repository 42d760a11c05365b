// Reads a file of users, JSON or CSV (RFC 4180), in the browser, for the bulk import.
import Papa from "papaparse";

export type ImportedUser = Record<string, unknown>;

/** The names of the CSV columns with the member that each fills; the first row of a file names its columns. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  userName: ["userName"],
  firstName: ["profile", "firstName"],
  lastName: ["profile", "lastName"],
  displayName: ["profile", "displayName"],
  preferredLanguage: ["profile", "preferredLanguage"],
  email: ["email", "email"],
  isEmailVerified: ["email", "isEmailVerified"],
  phone: ["phone", "phone"],
  hashedPassword: ["hashedPassword", "value"],
};

export const COLUMN_NAMES = Object.keys(COLUMNS);

/**
 * Returns the name of a member for users: its column, or the member itself if it has none.
 * @param field the path, such as `profile.firstName`
 */
export function columnOf(field: string): string {
  return COLUMN_NAMES.find((name) => COLUMNS[name]?.join(".") === field) ?? field;
}

/** Returns the users in the file; undefined if it is neither a list of users nor a table with known columns. */
export function parsePeople(text: string): ImportedUser[] | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("[") || trimmed.startsWith("{")) return readJson(trimmed);
  const [head = [], ...rows] = parseCsv(trimmed);
  const names = head.map((name) => name.trim());
  if (!names.includes("userName") || names.some((name) => !(name in COLUMNS))) return undefined;
  return rows.map((row) => userOf(names, row));
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

function userOf(names: readonly string[], row: readonly string[]): ImportedUser {
  // The profile is required: if it is empty, the errors name its missing columns.
  const user: ImportedUser = { profile: {} };
  for (const [index, name] of names.entries()) {
    const value = row[index]?.trim() ?? "";
    const [first = name, second] = COLUMNS[name] ?? [];
    if (value === "") continue;
    const meant = name === "isEmailVerified" ? value.toLowerCase() === "true" : value;
    user[first] = second === undefined ? meant : { ...(user[first] as object | undefined), [second]: meant };
  }
  return user;
}

/** Parses CSV (RFC 4180 §2): quoted fields may contain commas and line breaks. Empty rows are omitted. */
export function parseCsv(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replaceAll("\r\n", "\n"), { delimiter: ",", newline: "\n" });
  return data.filter((row) => row.some((value) => value !== ""));
}
