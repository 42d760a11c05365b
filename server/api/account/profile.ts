/**
 * Changing the caller's own account: password, addresses. A change that could transfer the account to another
 * person takes a token for which the person signed in minutes ago, as on the account's pages; the password takes the
 * current one.
 */
import { z } from "zod";
import * as field from "../../directory/fields";
import { emailContact, phoneContact } from "../../directory/mailed-code/contact-code";
import { changeOwnPhone, proveContactAgain, verifyContactByCode } from "../../directory/user/contact/prove";
import type { OriginContext } from "../../events/record";
import { changeAddress, confirmContactByCode, sendCodeToOwner } from "../../login/account/contact";
import { changeOwnPassword } from "../../login/change-password";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { verificationCode } from "../users/code-ways";
import { callingOwner, FRESH, OWN, OWN_PATH, OWN_RECENT, recentOwner } from "../users/own";
import { changedUser, noBody, userRefOf } from "../users/user-ref";
import { addressRefusal, blockedCode, deadCode, passwordRefusal, tooManyMails, wrongCode } from "./refusals";

const { strict } = field;
const typed = z.string().max(1_000);

/** Returns the origin of a request in the form that the use cases of the pages take. */
const attemptOf = ({ origin: { requestId } }: OriginContext, { address }: OperationCall<unknown, unknown>) => ({
  userAgent: { address },
  requestId,
});

export const ownProfileOperations: readonly Operation[] = [
  operation("UpdateMyPassword", `PUT ${OWN_PATH}/password`, {
    ...OWN,
    summary: "Change the caller's password",
    description: "With `signOutElsewhere`, all existing sessions and tokens end, including this token.",
    body: strict({ oldPassword: typed, newPassword: typed, signOutElsewhere: z.boolean().optional() }),
    async handle(ctx, call) {
      const owner = await callingOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const { oldPassword: currentPassword, newPassword: password, signOutElsewhere = false } = call.body;
      const form = { currentPassword, password, keepSessions: !signOutElsewhere };
      const problems = await changeOwnPassword(ctx, owner, form, ctx.origin);
      if (problems) return passwordRefusal(ctx, problems, { current: "oldPassword", chosen: "newPassword" });
      return changedAnswer(ctx, "user", call.caller.userId);
    },
  }),
  operation("SetMyEmail", `PUT ${OWN_PATH}/email`, {
    ...OWN,
    summary: "Have a code mailed to another address of the caller's",
    description: `The old address stays in use until the code is submitted. Callers who have a password must send it. ${FRESH}`,
    body: strict({ email: field.email, currentPassword: typed.optional() }),
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const { email, currentPassword = "" } = call.body;
      const outcome = await changeAddress(ctx, owner, { email, currentPassword }, attemptOf(ctx, call));
      if (outcome.kind === "too-many") return tooManyMails();
      return outcome.kind === "refused"
        ? addressRefusal(ctx, outcome.problems)
        : changedAnswer(ctx, "user", call.caller.userId);
    },
  }),
  operation("VerifyMyEmail", `POST ${OWN_PATH}/email/_verify`, {
    ...OWN,
    summary: "Confirm the caller's address, or the other one, by the code that was mailed to it",
    description: FRESH,
    body: strict({ code: field.line(200) }),
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const outcome = await confirmContactByCode(ctx, emailContact, owner, call.body.code, ctx.origin);
      if (outcome.kind === "dead") return deadCode();
      if (outcome.kind === "refused") return outcome.reason === "blocked" ? blockedCode() : wrongCode();
      return changedAnswer(ctx, "user", call.caller.userId);
    },
  }),
  operation("ResendMyEmailVerification", `POST ${OWN_PATH}/email/_resend_verification`, {
    ...OWN,
    summary: "Mail another code for the caller's address, or for the other one that waits",
    description: FRESH,
    ...noBody,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const note = await sendCodeToOwner(ctx, owner, attemptOf(ctx, call));
      if (note === "too-many" || note === "too-soon") return tooManyMails();
      return changedAnswer(ctx, "user", call.caller.userId);
    },
  }),
  operation("SetMyPhone", `PUT ${OWN_PATH}/phone`, {
    ...OWN_RECENT,
    summary: "Set the caller's phone number, which gets a code that verifies it",
    body: strict({ phone: field.phone }),
    handle: (ctx, call) => changedUser(ctx, call, changeOwnPhone(ctx, userRefOf(call), call.body.phone)),
  }),
  operation("VerifyMyPhone", `POST ${OWN_PATH}/phone/_verify`, {
    ...OWN_RECENT,
    summary: "Verify the caller's phone number by the code that was sent there",
    body: strict({ code: verificationCode }),
    async handle(ctx, call) {
      const refusal = await verifyContactByCode(ctx, userRefOf(call), phoneContact, call.body.code);
      return refusal ? { ...refusal, field: refusal.field && "code" } : changedAnswer(ctx, "user", call.caller.userId);
    },
  }),
  operation("ResendMyPhoneVerification", `POST ${OWN_PATH}/phone/_resend_verification`, {
    ...OWN_RECENT,
    summary: "Send another code to the caller's phone number",
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, proveContactAgain(ctx, userRefOf(call), phoneContact, {})),
  }),
];
