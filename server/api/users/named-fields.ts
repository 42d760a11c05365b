/** The members of users and machines in requests of version 2. */
import { z } from "zod";
import * as field from "../../directory/fields";
import type { GivenCodes } from "../../directory/user/add-person";
import type { Profile } from "../../directory/user/contact/change";
import { checkWays, deliveryOf, verifiedPhoneWays, verifiedWays } from "./code-ways";
import { profileBody, TOKEN_TYPES } from "./schemas";

const { strict } = field;

const { nickName, displayName, preferredLanguage, gender } = profileBody.shape;

export const profileV2 = strict({
  givenName: field.name,
  familyName: field.name,
  nickName,
  displayName,
  preferredLanguage,
  gender,
});

/** The fields for updating an existing person. Fields that are left out are kept. */
export const profileChangesV2 = profileV2.partial();

export const emailV2 = strict({ email: field.email, ...verifiedWays })
  .superRefine(checkWays)
  .transform(({ email: value, isVerified, ...given }) => ({ value, isVerified, delivery: deliveryOf(given, "mail") }));
export const phoneV2 = strict({ phone: field.phone, ...verifiedPhoneWays })
  .superRefine(checkWays)
  .transform(({ phone: value, isVerified, ...given }) => ({ value, isVerified, delivery: deliveryOf(given, "sms") }));

export const idpLink = strict({
  idpId: field.line(200).meta({ description: "The identity provider" }),
  userId: field
    .line(255)
    .meta({ description: "The id of the account at the provider, such as the `sub` of its id_tokens" }),
  userName: field.line(200).meta({ description: "The name of the account at the provider" }),
});

export const machineV2 = strict({
  name: field.name,
  description: field.text(500).optional(),
  accessTokenType: z.enum(Object.values(TOKEN_TYPES)).optional(),
});

export function toProfileChanges(given: z.output<typeof profileChangesV2>): Partial<Profile> {
  const { givenName: firstName, familyName: lastName, ...names } = given;
  return { ...names, firstName, lastName };
}

/** @returns undefined for none */
export function toTokenFormat(
  accessTokenType: z.output<typeof machineV2>["accessTokenType"],
): "bearer" | "jwt" | undefined {
  if (accessTokenType === undefined) return undefined;
  return accessTokenType === TOKEN_TYPES.jwt ? "jwt" : "bearer";
}

const code = z.string().optional().meta({ description: "With returnCode: the code that verifies it" });
export const codes = { emailCode: code, phoneCode: code };

export const toCodes = ({ emailCode, phoneCode }: GivenCodes) => ({
  ...(emailCode !== undefined && { emailCode }),
  ...(phoneCode !== undefined && { phoneCode }),
});
