/** The columns of CSV files of users, which the console and the operator's tool import. */

/** The names of the columns with the member that each fills; the first row of a file names its columns. */
export const USER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
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

/** Returns the user in a row, as the bulk import takes it. */
export function userOfRow(names: readonly string[], row: readonly string[]): Record<string, unknown> {
  // The profile is required: if it is empty, the errors name its missing columns.
  const user: Record<string, unknown> = { profile: {} };
  for (const [index, name] of names.entries()) {
    const value = row[index]?.trim() ?? "";
    const [first = name, second] = USER_COLUMNS[name] ?? [];
    if (value === "") continue;
    const meant = name === "isEmailVerified" ? value.toLowerCase() === "true" : value;
    user[first] = second === undefined ? meant : { ...(user[first] as object | undefined), [second]: meant };
  }
  return user;
}
