/** The queries of a search for users. */
import { z } from "zod";
import { identifier, strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import type { UserCombination, UserMatch } from "../../directory/user/search";
import { textQuery, toTextMatch, words } from "../operation/lists";
import { USER_STATE_VALUES, USER_TYPES } from "./schemas";

export const USER_SORTS = {
  USER_FIELD_NAME_UNSPECIFIED: undefined,
  USER_FIELD_NAME_CREATION_DATE: undefined,
  USER_FIELD_NAME_USER_NAME: "userName",
  USER_FIELD_NAME_DISPLAY_NAME: "displayName",
  USER_FIELD_NAME_LAST_SIGN_IN_DATE: "lastSignIn",
} as const;

/** The queries of both versions. */
export const userQueries = {
  userNameQuery: textQuery("userName"),
  loginNameQuery: textQuery("loginName"),
  displayNameQuery: textQuery("displayName"),
  emailQuery: textQuery("emailAddress"),
  stateQuery: strict({ state: z.enum(Object.values(USER_STATE_VALUES)) }),
  typeQuery: strict({ type: z.enum(Object.values(USER_TYPES)) }),
  inUserIdsQuery: strict({ userIds: z.array(identifier).max(100) }),
  organizationIdQuery: strict({ organizationId: identifier }),
};

/** Queries on users that no single index answers. */
export const personQueries = {
  lastSignInQuery: z
    .union([strict({ never: z.literal(true) }), strict({ before: instant })])
    .meta({ description: "Who never signed in, or not since then" }),
  secondFactorQuery: strict({ hasSecondFactor: z.boolean() }).meta({ description: "Passkeys count as such" }),
  invitationQuery: strict({ isPending: z.boolean() }),
};
type PersonQueries = Partial<z.output<z.ZodObject<typeof personQueries>>>;

/** Returns undefined for any other query. */
export function toPersonCombination(query: PersonQueries): UserCombination | undefined {
  const { lastSignInQuery, secondFactorQuery, invitationQuery } = query;
  if (secondFactorQuery) return { all: [IS_HUMAN, secondFactorQuery] };
  if (invitationQuery) return { all: [IS_HUMAN, { isInvited: invitationQuery.isPending }] };
  if (!lastSignInQuery) return undefined;
  if ("never" in lastSignInQuery) return { signedIn: "never" };
  return { signedInBefore: lastSignInQuery.before };
}

/** Machines have neither factors nor invitations. */
const IS_HUMAN: UserCombination = { match: { kind: "human" } };

export const wordsQuery = strict({ text: words }).meta({
  description:
    "As in a search box: each word must begin a word of the names, e-mail address or phone number; sorted by match",
});

type Queries = z.output<z.ZodObject<typeof userQueries>>;

export function toMatch({
  inUserIdsQuery,
  organizationIdQuery,
  ...query
}: Partial<Queries> & { textQuery?: { text: string } }): UserMatch {
  const { userNameQuery, loginNameQuery, displayNameQuery, emailQuery, stateQuery, typeQuery } = query;
  return {
    ...organizationIdQuery,
    ...query.textQuery,
    ids: inUserIdsQuery?.userIds,
    userName: userNameQuery && toTextMatch(userNameQuery.userName, userNameQuery.method),
    loginName: loginNameQuery && toTextMatch(loginNameQuery.loginName, loginNameQuery.method),
    displayName: displayNameQuery && toTextMatch(displayNameQuery.displayName, displayNameQuery.method),
    email: emailQuery && toTextMatch(emailQuery.emailAddress, emailQuery.method),
    state: stateQuery && userKeyOf(USER_STATE_VALUES, stateQuery.state),
    kind: typeQuery && userKeyOf(USER_TYPES, typeQuery.type),
  };
}

export function userKeyOf<Key extends string, Value>(
  names: Readonly<Record<Key, Value>>,
  value: Value,
): Key | undefined {
  return (Object.keys(names) as Key[]).find((key) => names[key] === value);
}
