/** Users in requests and answers, with the names of the bootstrap file. */

import { z } from "zod";
import * as field from "../../directory/fields";
import { MIN_PASSWORD_LENGTH } from "../../directory/password-length";
import { importedHash, refuseWeakHash } from "../../directory/user/imported-hash";
import type { ListedUser } from "../../directory/user/list";
import { checkPassword } from "../../directory/user/password-policy";
import type { PersonFields } from "../../directory/user/user";
import { toDetails } from "../../events/record";
import { issue } from "../../protocol/reason";
import { type FactorKind, factorKinds } from "../../protocol/second-factor";
import { details, timestamp } from "../operation/schemas";

const { strict } = field;

export const USER_STATE_VALUES = {
  active: "USER_STATE_ACTIVE",
  inactive: "USER_STATE_INACTIVE",
  locked: "USER_STATE_LOCKED",
} as const;
export const USER_TYPES = { human: "TYPE_HUMAN", machine: "TYPE_MACHINE" } as const;
export const TOKEN_TYPES = { bearer: "ACCESS_TOKEN_TYPE_BEARER", jwt: "ACCESS_TOKEN_TYPE_JWT" } as const;
const GENDERS = { female: "GENDER_FEMALE", male: "GENDER_MALE", diverse: "GENDER_DIVERSE" } as const;

export const user = z
  .object({
    id: z.string(),
    details,
    state: z.enum(Object.values(USER_STATE_VALUES)),
    userName: z.string(),
    loginNames: z.array(z.string()),
    preferredLoginName: z.string(),
    human: z
      .object({
        profile: z.object({
          firstName: z.string(),
          lastName: z.string(),
          nickName: z.string().optional(),
          displayName: z.string(),
          preferredLanguage: z.string().optional(),
          gender: z.enum(Object.values(GENDERS)).optional(),
        }),
        email: z.object({ email: z.string(), isEmailVerified: z.boolean() }).optional(),
        phone: z.object({ phone: z.string(), isPhoneVerified: z.boolean() }).optional(),
        passwordChanged: timestamp.optional().meta({ description: "Left out if there is no password" }),
        passwordChangeRequired: z.boolean(),
        lastSignInDate: timestamp.optional().meta({ description: "Left out if there was none" }),
        secondFactors: z
          .array(z.enum([...Object.values(factorKinds).map(({ apiType }) => apiType), "u2f"]))
          .meta({ description: "The kinds of them; `u2f`: a passkey or security key" }),
        invitation: z
          .object({
            creationDate: timestamp,
            expirationDate: timestamp.optional().meta({ description: "Left out if its link has expired long ago" }),
          })
          .optional()
          .meta({ description: "Left out if there is none, or it was accepted" }),
      })
      .optional(),
    machine: z
      .object({
        name: z.string(),
        description: z.string().optional(),
        hasSecret: z.boolean(),
        accessTokenType: z.enum(Object.values(TOKEN_TYPES)),
        legacyAssertionAudience: z.boolean(),
        jwksUri: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: "User" });
export const userAnswer = z.object({ user });

export function toUser(row: ListedUser): z.input<typeof user> {
  return {
    id: row.id,
    details: toDetails(row),
    state: USER_STATE_VALUES[row.state],
    userName: row.userName,
    loginNames: [row.loginName],
    preferredLoginName: row.loginName,
    ...(row.kind === "human" ? { human: toHuman(row) } : { machine: toMachine(row) }),
  };
}

/** Users as version 2 shows them: with its own names beside those of version 1. */
const humanV1 = user.shape.human.unwrap();
const { profile, email, phone } = humanV1.shape;
const isVerified = z.boolean();

/** These are also members of the person, where earlier clients read them. */
const named = {
  userId: z.string(),
  state: user.shape.state,
  username: z.string(),
  loginNames: user.shape.loginNames,
  preferredLoginName: z.string(),
};

export const userV2 = user
  .extend({
    userId: z.string(),
    username: z.string(),
    human: humanV1
      .extend({
        profile: profile.extend({ givenName: z.string(), familyName: z.string() }),
        email: email.unwrap().extend({ isVerified }).optional(),
        phone: phone.unwrap().extend({ isVerified }).optional(),
        ...named,
        mfaInitSkipped: timestamp.optional().meta({ description: "When the user chose to set up no second factor" }),
      })
      .optional(),
  })
  .meta({ id: "UserV2" });

export function toUserV2(row: ListedUser): z.input<typeof userV2> {
  const { human, ...shown } = toUser(row);
  const { state, loginNames, preferredLoginName } = shown;
  const names = { userId: row.id, state, username: row.userName, loginNames, preferredLoginName };
  return {
    ...shown,
    userId: row.id,
    username: row.userName,
    human: human && {
      ...human,
      ...names,
      ...(row.mfaSkippedAt !== null && { mfaInitSkipped: new Date(row.mfaSkippedAt).toISOString() }),
      profile: { ...human.profile, givenName: human.profile.firstName, familyName: human.profile.lastName },
      email: human.email && { ...human.email, isVerified: human.email.isEmailVerified },
      phone: human.phone && { ...human.phone, isVerified: human.phone.isPhoneVerified },
    },
  };
}

function toHuman(row: ListedUser) {
  const { firstName, lastName, nickName, displayName, preferredLanguage, gender, email, phone } = row;
  return {
    profile: {
      firstName: firstName ?? "",
      lastName: lastName ?? "",
      displayName: displayName ?? row.userName,
      ...(nickName !== null && { nickName }),
      ...(preferredLanguage !== null && { preferredLanguage }),
      ...(gender !== null && { gender: GENDERS[gender as keyof typeof GENDERS] }),
    },
    ...(email !== null && { email: { email, isEmailVerified: Boolean(row.isEmailVerified) } }),
    ...(phone !== null && { phone: { phone, isPhoneVerified: Boolean(row.isPhoneVerified) } }),
    ...(row.passwordChangedAt !== null && { passwordChanged: new Date(row.passwordChangedAt).toISOString() }),
    passwordChangeRequired: Boolean(row.passwordChangeRequired),
    ...(row.lastSignIn !== "" && { lastSignInDate: row.lastSignIn }),
    secondFactors: factorsOf(row),
    ...(row.invitedAt !== null && { invitation: invitationOf(row.invitedAt, row.invitationEndsAt) }),
  };
}

function factorsOf({ factorKinds: stored, passkeyCount }: ListedUser) {
  const kinds = new Set(stored?.split(" "));
  const types = (Object.keys(factorKinds) as FactorKind[]).filter((kind) => kinds.has(kind));
  return [...types.map((kind) => factorKinds[kind].apiType), ...(passkeyCount > 0 ? (["u2f"] as const) : [])];
}

const invitationOf = (at: number, until: number | null) => ({
  creationDate: new Date(at).toISOString(),
  ...(until !== null && { expirationDate: new Date(until).toISOString() }),
});

function toMachine({
  name,
  userName,
  description,
  hasSecret,
  accessTokenType,
  legacyAssertionAudience,
  jwksUri,
}: ListedUser) {
  return {
    name: name ?? userName,
    ...(description !== null && { description }),
    hasSecret: hasSecret === 1,
    accessTokenType: TOKEN_TYPES[accessTokenType === "jwt" ? "jwt" : "bearer"],
    legacyAssertionAudience: Boolean(legacyAssertionAudience),
    ...(jwksUri !== null && { jwksUri }),
  };
}

const gender = z
  .enum(["GENDER_UNSPECIFIED", ...Object.values(GENDERS), "female", "male", "diverse"])
  .transform((value) =>
    value === "GENDER_UNSPECIFIED" ? null : (value.replace("GENDER_", "").toLowerCase() as keyof typeof GENDERS),
  );
/** Clients send an empty text for an unknown value. */
const orEmpty = <Field extends z.ZodType>(schema: Field) =>
  z.union([z.literal("").transform(() => null), schema]).nullable();

export const profileBody = strict({
  firstName: field.name,
  lastName: field.name,
  nickName: orEmpty(field.name).optional(),
  displayName: orEmpty(field.name).optional(),
  preferredLanguage: orEmpty(field.languageTag).optional(),
  gender: gender.optional(),
});
export const emailBody = strict({ email: field.email, isEmailVerified: z.boolean().optional() });
export const phoneBody = strict({ phone: field.phone, isPhoneVerified: z.boolean().optional() });
/** The phone number of a new person: an empty number means none, regardless of other members. */
const maybePhone = strict({
  phone: z.string().regex(/^(?:\+[1-9]\d{4,14})?$/, { error: issue("phone") }),
  isPhoneVerified: z.boolean().optional(),
}).transform((given) => (given.phone === "" ? undefined : given));

export const password = z.string().superRefine((value, issues) => {
  const problem = checkPassword(value, MIN_PASSWORD_LENGTH);
  if (!problem) return;
  const { code, limit } = problem;
  const message = limit ? issue(code === "too_short" ? "too_short" : "too_long", { n: limit }) : issue("not_text");
  issues.addIssue({ code: "custom", message });
});

export const hashedPassword = strict({ value: importedHash });

/** The hash in version 2. */
export const hashedPasswordV2 = strict({
  hash: importedHash,
  changeRequired: z.boolean().optional(),
  allowWeakHashes: z.boolean().optional(),
}).superRefine((given, issues) => refuseWeakHash(given.hash, given, issues, ["hash"]));

export const humanShape = {
  userId: field.identifier.optional(),
  userName: field.userName,
  profile: profileBody,
  email: emailBody,
  phone: maybePhone.optional(),
};
type Human = z.output<z.ZodObject<typeof humanShape>>;
export type HumanBody = Omit<Human, "email"> & Partial<Pick<Human, "email">>;

/** The person in the form that the directory stores; what is left out has no value. */
export function toPerson({ userName, profile, email, phone }: HumanBody): PersonFields & { userName: string } {
  return {
    userName,
    ...profile,
    displayName: profile.displayName ?? undefined,
    ...(email && { email: email.email, isEmailVerified: email.isEmailVerified ?? false }),
    ...(phone && { phone: phone.phone, isPhoneVerified: phone.isPhoneVerified ?? false }),
  };
}
