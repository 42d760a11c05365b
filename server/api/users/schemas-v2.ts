/** Users as version 2 shows them; the members of version 1 stand beside, as clients read them here. */
import { z } from "zod";
import type { ListedUser } from "../../directory/user/list";
import { toUser, user } from "./schemas";

const humanV1 = user.shape.human.unwrap();
const { profile, email, phone } = humanV1.shape;
const isVerified = z.boolean();

export const userV2 = user
  .extend({
    userId: z.string(),
    username: z.string(),
    human: humanV1
      .extend({
        profile: profile.extend({ givenName: z.string(), familyName: z.string() }),
        email: email.unwrap().extend({ isVerified }).optional(),
        phone: phone.unwrap().extend({ isVerified }).optional(),
      })
      .optional(),
  })
  .meta({ id: "UserV2" });

export function toUserV2(row: ListedUser): z.input<typeof userV2> {
  const { human, ...shown } = toUser(row);
  return {
    ...shown,
    userId: row.id,
    username: row.userName,
    human: human && {
      ...human,
      profile: { ...human.profile, givenName: human.profile.firstName, familyName: human.profile.lastName },
      email: human.email && { ...human.email, isVerified: human.email.isEmailVerified },
      phone: human.phone && { ...human.phone, isVerified: human.phone.isPhoneVerified },
    },
  };
}
