/** Conditions on the users of other rows in lists: of user grants and of memberships. */
import type { TextWanted } from "../listing";
import { type Filter, isOneOf, textMatches } from "../pages";
import { columnsIn } from "../statement";
import { shownLoginName } from "./sign-in-names";

export interface RowUserWanted {
  userIds?: readonly string[];
  userOrganizationId?: string;
  kind?: "human" | "machine";
  userName?: TextWanted;
  loginName?: TextWanted;
  displayName?: TextWanted;
  firstName?: TextWanted;
  lastName?: TextWanted;
  email?: TextWanted;
}

/** The tables of the conditions: `u` is the user. */
const eb = columnsIn<{ u: "User" }>();

const TEXTS = {
  userName: eb.ref("u.userName"),
  loginName: shownLoginName(),
  displayName: eb.fn.coalesce("u.displayName", "u.name", "u.userName"),
  firstName: eb.ref("u.firstName"),
  lastName: eb.ref("u.lastName"),
  email: eb.ref("u.email"),
};

export function matchRowUsers(where: Filter, wanted: RowUserWanted): void {
  const { userIds, userOrganizationId, kind } = wanted;
  if (userIds) where.push(isOneOf(eb.ref("u.id"), userIds));
  if (userOrganizationId !== undefined) where.push(eb("u.organizationId", "=", userOrganizationId));
  if (kind !== undefined) where.push(eb("u.kind", "=", kind));
  for (const name of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    const text = wanted[name];
    if (text) where.push(textMatches(TEXTS[name], text));
  }
}
