/**
 * Changing the caller's own account: profile, password, addresses. A change that could transfer the account to another
 * person takes a token for which the person signed in minutes ago, as on the account's pages; the password takes the
 * current one.
 */
import { z } from "zod";
import * as field from "../../directory/fields";
import { removePhone, replaceProfile } from "../../directory/user/contact/change";
import { changeOwnPhone, resendPhoneCode, verifyPhoneByCode } from "../../directory/user/contact/prove-phone";
import { changeAddress, confirmAddressByCode, sendCodeToOwner } from "../../login/account/email";
import { changeOwnPassword } from "../../login/change-password";
import { isApiError } from "../../protocol/api-error";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { changed } from "../operation/schemas";
import { verificationCode } from "../users/code-ways";
import { profileBody } from "../users/schemas";
import { noBody } from "../users/user-ref";
import { changedOwn, OWN, OWN_PATH, ownDetails, ownRef } from "./own-ref";
import {
  addressRefusal,
  blockedCode,
  callingOwner,
  deadCode,
  passwordRefusal,
  recentOwner,
  tooManyMails,
  wrongCode,
} from "./refusals";

const { strict } = field;
const tag = "Own account";
const FRESH =
  "The person must have signed in for the token within the last 15 minutes, with the second factor if there is one.";
const typed = z.string().max(1_000);

/** Where a request comes from, as the pages' use cases take it. */
const attemptOf = ({ address, origin: { requestId } }: OperationCall<unknown, unknown>) => ({
  userAgent: { address },
  requestId,
});

export const ownProfileOperations: readonly Operation[] = [
  operation({
    id: "UpdateMyProfile",
    method: "PUT",
    path: `${OWN_PATH}/profile`,
    tag,
    summary: "Replace the caller's profile",
    scope: OWN,
    body: profileBody,
    answer: changed,
    handle: (ctx, call) => changedOwn(ctx, call, replaceProfile(ctx, ownRef(call), call.body, call.origin)),
  }),
  operation({
    id: "UpdateMyPassword",
    method: "PUT",
    path: `${OWN_PATH}/password`,
    tag,
    summary: "Change the caller's password",
    description: "With `signOutElsewhere`, all existing sessions and tokens end, including this token.",
    scope: OWN,
    body: strict({ oldPassword: typed, newPassword: typed, signOutElsewhere: z.boolean().optional() }),
    answer: changed,
    async handle(ctx, call) {
      const owner = await callingOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const { oldPassword: currentPassword, newPassword: password, signOutElsewhere = false } = call.body;
      const form = { currentPassword, password, keepSessions: !signOutElsewhere };
      const problems = await changeOwnPassword(ctx, owner, form, call.origin);
      if (problems) return passwordRefusal(ctx, problems, { current: "oldPassword", chosen: "newPassword" });
      return ownDetails(ctx, call);
    },
  }),
  operation({
    id: "SetMyEmail",
    method: "PUT",
    path: `${OWN_PATH}/email`,
    tag,
    summary: "Have a code mailed to another address of the caller's",
    description: `The old address stays in use until the code is submitted. Callers who have a password must send it. ${FRESH}`,
    scope: OWN,
    body: strict({ email: field.email, currentPassword: typed.optional() }),
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const { email, currentPassword = "" } = call.body;
      const outcome = await changeAddress(ctx, owner, { email, currentPassword }, attemptOf(call));
      if (outcome.kind === "too-many") return tooManyMails();
      return outcome.kind === "refused" ? addressRefusal(ctx, outcome.problems) : ownDetails(ctx, call);
    },
  }),
  operation({
    id: "VerifyMyEmail",
    method: "POST",
    path: `${OWN_PATH}/email/_verify`,
    tag,
    summary: "Confirm the caller's address, or the other one, by the code that was mailed to it",
    description: FRESH,
    scope: OWN,
    body: strict({ code: field.line(200) }),
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const outcome = await confirmAddressByCode(ctx, owner, call.body.code, call.origin);
      if (outcome.kind === "dead") return deadCode();
      if (outcome.kind === "refused") return outcome.reason === "blocked" ? blockedCode() : wrongCode();
      return ownDetails(ctx, call);
    },
  }),
  operation({
    id: "ResendMyEmailVerification",
    method: "POST",
    path: `${OWN_PATH}/email/_resend_verification`,
    tag,
    summary: "Mail another code for the caller's address, or for the other one that waits",
    description: FRESH,
    scope: OWN,
    ...noBody,
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const note = await sendCodeToOwner(ctx, owner, attemptOf(call));
      if (note === "too-many" || note === "too-soon") return tooManyMails();
      return ownDetails(ctx, call);
    },
  }),
  operation({
    id: "SetMyPhone",
    method: "PUT",
    path: `${OWN_PATH}/phone`,
    tag,
    summary: "Set the caller's phone number, which gets a code that verifies it",
    description: FRESH,
    scope: OWN,
    body: strict({ phone: field.phone }),
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      return changedOwn(ctx, call, changeOwnPhone(ctx, ownRef(call), call.body.phone, call.origin));
    },
  }),
  operation({
    id: "VerifyMyPhone",
    method: "POST",
    path: `${OWN_PATH}/phone/_verify`,
    tag,
    summary: "Verify the caller's phone number by the code that was sent there",
    description: FRESH,
    scope: OWN,
    body: strict({ code: verificationCode }),
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const refusal = await verifyPhoneByCode(ctx, ownRef(call), call.body.code, call.origin);
      return refusal ? { ...refusal, field: refusal.field && "code" } : ownDetails(ctx, call);
    },
  }),
  operation({
    id: "ResendMyPhoneVerification",
    method: "POST",
    path: `${OWN_PATH}/phone/_resend_verification`,
    tag,
    summary: "Send another code to the caller's phone number",
    description: FRESH,
    scope: OWN,
    ...noBody,
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      return changedOwn(ctx, call, resendPhoneCode(ctx, ownRef(call), call.origin));
    },
  }),
  operation({
    id: "RemoveMyPhone",
    method: "DELETE",
    path: `${OWN_PATH}/phone`,
    tag,
    summary: "Remove the caller's phone number",
    description: FRESH,
    scope: OWN,
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      return isApiError(owner) ? owner : changedOwn(ctx, call, removePhone(ctx, ownRef(call), call.origin));
    },
  }),
];
