/** The password of a person: set by an administrator or by the person, and codes to choose a new one. */
import { z } from "zod";
import { nameElsewhere } from "../../crypto/elsewhere";
import * as field from "../../directory/fields";
import { askForPassword } from "../../directory/user/contact/ask-for-password";
import { setPassword } from "../../directory/user/credentials";
import { setProvenPassword, type WantedPassword } from "../../directory/user/set-password";
import { issue } from "../../protocol/reason";
import { type Operation, operation } from "../operation/operation";
import { answerWithCode, checkWays, codeAnswer, codeDeliveryOf, urlTemplate, verificationCode } from "./code-ways";
import { hashedPasswordV2, password } from "./schemas";
import { changedUser, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "User credentials";
const PATH = "/v2/users/:userId";
const scope = { tag, scope: ownedBy("user.write") };

const passwordV2 = strict({ password, changeRequired: z.boolean().optional() });
/** What proves that the person has chosen it. */
const proofs = { currentPassword: field.text(1_000).optional(), verificationCode: verificationCode.optional() };
const ONE_PROOF = { error: issue("one_or_other", { one: "currentPassword", other: "verificationCode" }) };

interface Proofs {
  currentPassword?: string;
  verificationCode?: string;
}
const oneProof = ({ currentPassword, verificationCode }: Proofs) => !(currentPassword && verificationCode);
/** Clients of protocol buffers send an empty text for none. */
const given = ({ currentPassword, verificationCode }: Proofs): Proofs => ({
  currentPassword: currentPassword || undefined,
  verificationCode: verificationCode || undefined,
});

/** The password among other members of a person. */
export const humanPassword = strict({
  password: passwordV2.optional(),
  hashedPassword: hashedPasswordV2
    // Only new users can have a password in another system (rule HOOK-2).
    .refine(({ hash }) => nameElsewhere(hash) === undefined, { path: ["hash"], error: issue("hash_unknown") })
    .optional(),
  ...proofs,
})
  .refine(oneProof, ONE_PROOF)
  .refine((given) => (given.password === undefined) !== (given.hashedPassword === undefined), {
    error: issue("one_or_other", { one: "password", other: "hashedPassword" }),
  });

export function toWantedPassword(body: z.output<typeof humanPassword>): WantedPassword {
  const { password: plain, hashedPassword: hashed } = body;
  const changeRequired = plain?.changeRequired ?? hashed?.changeRequired ?? false;
  return { password: plain?.password ?? { hash: hashed?.hash ?? "" }, changeRequired, ...given(body) };
}

const NOTIFICATION_TYPES = [
  "NOTIFICATION_TYPE_Unspecified",
  "NOTIFICATION_TYPE_Email",
  "NOTIFICATION_TYPE_SMS",
] as const;

export const userPasswordOperations: readonly Operation[] = [
  operation("SetHumanPassword", "POST /management/v1/users/:userId/password", {
    tag,
    scope: { level: "organization", permission: "user.write", target: "user" },
    summary: "Set a user's password",
    description:
      "The user must change it at the next sign-in unless `noChangeRequired` is set. All existing sessions and tokens end. Sending a link is preferable, because then no one else knows the password.",
    body: strict({ password, noChangeRequired: z.boolean().optional() }),
    handle(ctx, call) {
      const { password, noChangeRequired = false } = call.body;
      const wanted = { password, changeRequired: !noChangeRequired };
      return changedUser(ctx, call, setPassword(ctx, userRefOf(call), wanted));
    },
  }),
  operation("SetPassword", `POST ${PATH}/password`, {
    ...scope,
    summary: "Set a user's password",
    description:
      "With `currentPassword`, or with the `verificationCode` of a reset or an invitation, the password is the user's own choice and must satisfy the password policy; without either, an administrator sets it. All existing sessions and tokens end.",
    body: strict({ newPassword: passwordV2, ...proofs }).refine(oneProof, ONE_PROOF),
    handle(ctx, call) {
      const { newPassword, ...proof } = call.body;
      const { password, changeRequired = false } = newPassword;
      const wanted = { password, changeRequired, ...given(proof) };
      return changedUser(ctx, call, setProvenPassword(ctx, userRefOf(call), wanted));
    },
  }),
  operation("PasswordReset", `POST ${PATH}/password_reset`, {
    ...scope,
    summary: "Create a code with which a user chooses a new password",
    description:
      "The code is mailed to the verified address with the message `passwordreset`, unless `returnCode` is given.",
    body: strict({
      sendLink: strict({ notificationType: z.enum(NOTIFICATION_TYPES).optional(), urlTemplate }).optional(),
      returnCode: strict({}).optional(),
    }).superRefine(({ sendLink, returnCode }, issues) => checkWays({ sendCode: sendLink, returnCode }, issues)),
    bodyIsOptional: true,
    answer: codeAnswer,
    handle(ctx, call) {
      const { sendLink, returnCode } = call.body;
      const bySms = sendLink?.notificationType === "NOTIFICATION_TYPE_SMS";
      const delivery = bySms ? ({ by: "sms" } as const) : codeDeliveryOf({ sendCode: sendLink, returnCode });
      return answerWithCode(ctx, call, askForPassword(ctx, userRefOf(call), delivery));
    },
  }),
];
