// Reads a file of users, JSON or CSV (RFC 4180), in the browser, for the bulk import.

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

/**
 * Parses CSV (RFC 4180 §2): quoted fields may contain commas, line breaks and doubled quotes. It does not use one
 * regular expression for a whole field: with a file of megabytes or an unclosed quote, that would exhaust the stack or
 * block the page for minutes.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const { value, end } = fieldAt(text, at);
    row.push(value);
    if (text[end] !== ",") {
      if (row.some((value) => value !== "")) rows.push(row);
      row = [];
    }
    at = end + 1;
  }
  return rows;
}

/**
 * Returns the field that starts at `start`, and the index of the comma or line feed after it, or the end of the text.
 */
function fieldAt(text: string, start: number): { value: string; end: number } {
  const closing = text[start] === '"' ? closingQuote(text, start + 1) : start;
  const quoted = text.slice(start + 1, closing).replaceAll('""', '"');
  const found = text.slice(closing).search(/[,\n]/);
  const end = found < 0 ? text.length : closing + found;
  const rest = text.slice(closing === start ? start : closing + 1, end).replace(/\r$/, "");
  return { value: quoted + rest, end };
}

/** Returns the index of a quote that is not doubled, or the end of the text. */
function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (text[at + 1] !== '"') return at;
  }
}
