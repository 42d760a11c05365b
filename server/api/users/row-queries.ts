/** Queries about the users of rows: of user grants and of administrators. */
import type { z } from "zod";
import { identifier, strict } from "../../directory/fields";
import { textQuery, toTextMatch } from "../operation/lists";
import { userKeyOf, userQueries } from "./queries";
import { USER_TYPES } from "./schemas";

export const rowUserQueries = {
  userIdQuery: strict({ userId: identifier }),
  inUserIdsQuery: userQueries.inUserIdsQuery,
  userOrganizationIdQuery: strict({ organizationId: identifier }),
  userTypeQuery: userQueries.typeQuery,
  userNameQuery: textQuery("userName"),
  loginNameQuery: textQuery("loginName"),
  displayNameQuery: textQuery("displayName"),
  firstNameQuery: textQuery("firstName"),
  lastNameQuery: textQuery("lastName"),
};
type RowUserQuery = Partial<z.output<z.ZodObject<typeof rowUserQueries>>>;

export function toRowUser(query: RowUserQuery) {
  const { userIdQuery, inUserIdsQuery, userOrganizationIdQuery, userTypeQuery } = query;
  const { userNameQuery, loginNameQuery, displayNameQuery, firstNameQuery, lastNameQuery } = query;
  return {
    userIds: userIdQuery ? [userIdQuery.userId] : inUserIdsQuery?.userIds,
    userOrganizationId: userOrganizationIdQuery?.organizationId,
    kind: userTypeQuery && userKeyOf(USER_TYPES, userTypeQuery.type),
    userName: userNameQuery && toTextMatch(userNameQuery.userName, userNameQuery.method),
    loginName: loginNameQuery && toTextMatch(loginNameQuery.loginName, loginNameQuery.method),
    displayName: displayNameQuery && toTextMatch(displayNameQuery.displayName, displayNameQuery.method),
    firstName: firstNameQuery && toTextMatch(firstNameQuery.firstName, firstNameQuery.method),
    lastName: lastNameQuery && toTextMatch(lastNameQuery.lastName, lastNameQuery.method),
  };
}
