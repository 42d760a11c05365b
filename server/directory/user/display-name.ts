/** The display name of a user, which follows the names it was composed of. */
import { composeName, isComposedName } from "../../../messages/person-name";
import type { UserRow } from "../../storage/user/user";

type NamesOfUser = Pick<UserRow, "displayName" | "firstName" | "lastName" | "preferredLanguage">;

/**
 * Returns the display name after a change. A name composed of first and last name follows them, unless another one is
 * given; undefined keeps it.
 */
export function displayNameAfter(
  stored: Pick<UserRow, keyof NamesOfUser>,
  changes: Partial<NamesOfUser>,
): string | null | undefined {
  const { displayName, ...others } = changes;
  if (displayName === undefined && !isComposedName(stored.displayName, stored)) return undefined;
  const { firstName = stored.firstName, lastName = stored.lastName } = others;
  const { preferredLanguage = stored.preferredLanguage } = others;
  return displayName ?? composeName({ firstName, lastName, preferredLanguage });
}
