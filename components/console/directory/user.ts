// People and machines as the management API shows them.

import { shownName } from "../../../messages/person-name";
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf } from "../declared";

export type User = Schemas["User"];
export type Human = NonNullable<User["human"]>;
export type HumanProfile = Human["profile"];
export type Machine = NonNullable<User["machine"]>;

/** As used in addresses and in the keys of texts. */
export const USER_STATES = ["active", "inactive", "locked"] as const;
export type UserState = (typeof USER_STATES)[number];

export const userStateOf = ({ state }: User): UserState =>
  USER_STATES.find((name) => state === `USER_STATE_${name.toUpperCase()}`) ?? "active";

/** False for invited people who have not chosen one yet, and for those who use passkeys. */
export const hasPassword = ({ human }: User): boolean => human?.passwordChanged !== undefined;

export const nameOf = ({ human, machine, userName }: User): string =>
  (human && shownName(human.profile)) || machine?.name || userName;

/** A second factor. */
export type AuthFactor = AnswerOf<"ListHumanAuthFactors">["result"][number];
export type Passkey = AnswerOf<"ListHumanPasswordless">["result"][number];

/** The access that a person granted an app. */
export type UserToken = Schemas["UserToken"];
