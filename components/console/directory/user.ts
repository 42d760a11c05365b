// Users and machines as the management API returns them.

import { shownName } from "../../../messages/person-name";
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf } from "../../../shared/declared";

export type User = Schemas["User"];
export type Human = NonNullable<User["human"]>;
export type HumanProfile = Human["profile"];
export type Machine = NonNullable<User["machine"]>;

/** The states as used in addresses and in text keys. */
export const USER_STATES = ["active", "inactive", "locked"] as const;
export type UserState = (typeof USER_STATES)[number];

export const userStateOf = ({ state }: User): UserState =>
  USER_STATES.find((name) => state === `USER_STATE_${name.toUpperCase()}`) ?? "active";

/** Whether the user has a password; false for invited users who have not chosen one yet, and for users of passkeys. */
export const hasPassword = ({ human }: User): boolean => human?.passwordChanged !== undefined;

export const nameOf = ({ human, machine, userName }: User): string =>
  (human && shownName(human.profile)) || machine?.name || userName;

/** A second factor. */
export type AuthFactor = AnswerOf<"ListHumanAuthFactors">["result"][number];
/** An account at an identity provider. */
export type UserLink = AnswerOf<"GetIDPLinks">["result"][number];
export type Passkey = AnswerOf<"ListHumanPasswordless">["result"][number];

/** The access that a user granted to an app. */
export type UserToken = Schemas["UserToken"];
