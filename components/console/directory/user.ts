// People and machines as the management API shows them.
import type { Details } from "../list";

export interface Profile {
  firstName: string;
  lastName: string;
  nickName?: string;
  displayName: string;
  preferredLanguage?: string;
  gender?: string;
}

export interface Human {
  profile: Profile;
  email?: { email: string; isEmailVerified: boolean };
  phone?: { phone: string; isPhoneVerified: boolean };
  passwordChanged?: string;
  passwordChangeRequired?: boolean;
}

export interface Machine {
  name: string;
  description?: string;
  hasSecret: boolean;
  accessTokenType: "ACCESS_TOKEN_TYPE_BEARER" | "ACCESS_TOKEN_TYPE_JWT";
  legacyAssertionAudience: boolean;
  jwksUri?: string;
}

export interface User {
  id: string;
  details: Details;
  state: "USER_STATE_ACTIVE" | "USER_STATE_INACTIVE" | "USER_STATE_LOCKED";
  userName: string;
  preferredLoginName: string;
  human?: Human;
  machine?: Machine;
}

/** As used in addresses and in the keys of texts. */
export const USER_STATES = ["active", "inactive", "locked"] as const;
export type UserState = (typeof USER_STATES)[number];

export const stateOf = ({ state }: User): UserState =>
  USER_STATES.find((name) => state === `USER_STATE_${name.toUpperCase()}`) ?? "active";

/** False for invited people who have not chosen one yet, and for those who use passkeys. */
export const hasPassword = ({ human }: User): boolean => human?.passwordChanged !== undefined;

export const nameOf = ({ human, machine, userName }: User): string =>
  human?.profile.displayName || machine?.name || userName;

/** A second factor. */
export interface Factor {
  id: string;
  type: "otp" | "otpEmail";
  name?: string;
  creationDate: string;
  lastUsedDate?: string;
}

export interface Passkey {
  id: string;
  name: string;
  creationDate: string;
  lastUsedDate?: string;
  isMultiDevice: boolean;
}

/** The access that a person granted an app. */
export interface UserToken {
  id: string;
  clientId: string;
  appName?: string;
  scopes: readonly string[];
  creationDate: string;
  lastUsedDate?: string;
}
