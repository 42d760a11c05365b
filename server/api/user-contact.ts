/** Profile, e-mail address and phone number of a person, and the letters about them. */

import { z } from "zod";
import type { Context } from "../context";
import * as field from "../directory/fields";
import { noSuchUser } from "../directory/not-found";
import { changeUser } from "../directory/user/change";
import { changePerson, composeName, findUser, type PersonFields } from "../directory/user/user";
import { toDetails } from "../events/record";
import { sendAddressCode } from "../login/account/email";
import { countLetterTo } from "../login/add-person";
import { sendResetCode } from "../login/forgot-password";
import { makeFirstLink } from "../login/initial-password";
import { failedPrecondition, isApiError } from "../protocol/api-error";
import { findShownUser } from "../storage/user-list";
import type { UserRow } from "../storage/users";
import { changedAnswer } from "./answers";
import { type Operation, type OperationCall, operation } from "./operation";
import { changed, details } from "./schemas";
import { noBody } from "./user-place";
import { emailBody, phoneBody, profileBody } from "./user-schemas";

const { strict } = field;
const tag = "Users";
const PATH = "/management/v1/users/:userId";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", over: "user" } as const;
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "origin">;

const personOf = ({ parameters: { userId = "" }, organizationId }: Call) =>
  ({ userId, organizationId, kind: "human" }) as const;

/** Changes what differs from the stored data of a person. */
async function writePerson(ctx: Context, call: Call, fields: PersonFields | ((stored: UserRow) => PersonFields)) {
  const { origin } = call;
  const person = personOf(call);
  const refusal = await changeUser(ctx, person, origin, async (tx, stored) => {
    await changePerson(ctx, tx, stored, typeof fields === "function" ? fields(stored) : fields, origin);
    return undefined;
  });
  return refusal ?? changedAnswer(ctx, "user", person.userId);
}

/** A person of the organization, with the fields that letters need. */
async function addressee(ctx: Context, call: Call) {
  const { userId, organizationId } = personOf(call);
  const user = await findUser(ctx, userId);
  return user?.organizationId === organizationId ? user : noSuchUser();
}

const unverified = () => failedPrecondition("user.email_unverified", "The person has no address that is verified.");

export const userContactOperations: readonly Operation[] = [
  operation({
    ...{ id: "UpdateHumanProfile", method: "PUT", path: `${PATH}/profile`, tag, scope: WRITE },
    summary: "Replace a person's profile",
    body: profileBody,
    answer: changed,
    handle(ctx, call) {
      const { firstName, lastName, nickName = null, displayName, preferredLanguage = null, gender = null } = call.body;
      const profile = { firstName, lastName, nickName, preferredLanguage, gender };
      const fields = { ...profile, displayName: displayName ?? composeName(firstName, lastName) };
      return writePerson(ctx, call, fields);
    },
  }),
  operation({
    ...{ id: "GetHumanEmail", method: "GET", path: `${PATH}/email`, tag, scope: READ },
    summary: "Read a person's e-mail address",
    answer: z.object({
      email: z.object({ details, email: z.string().optional(), isEmailVerified: z.boolean() }),
    }),
    async handle(ctx, { parameters: { userId = "" }, organizationId }) {
      const row = await findShownUser(ctx.db, userId, organizationId);
      if (row?.kind !== "human") return noSuchUser();
      const { email, isEmailVerified } = row;
      const shown = email === null ? {} : { email };
      return { email: { details: toDetails(row), ...shown, isEmailVerified: Boolean(isEmailVerified) } };
    },
  }),
  operation({
    ...{ id: "UpdateHumanEmail", method: "PUT", path: `${PATH}/email`, tag, scope: WRITE },
    summary: "Change a person's e-mail address",
    description: "Unless `isEmailVerified` is set, the message `verifyemail` is sent there.",
    body: emailBody,
    answer: changed,
    async handle(ctx, call) {
      const { email, isEmailVerified = false } = call.body;
      const refusal = isEmailVerified ? undefined : await countLetterTo(ctx, email);
      if (refusal) return refusal;
      const answer = await writePerson(ctx, call, { email, isEmailVerified });
      if (isApiError(answer) || isEmailVerified) return answer;
      const { userId, organizationId } = personOf(call);
      const { actor, requestId } = call.origin;
      await sendAddressCode(ctx, { id: userId, organizationId, email, isEmailVerified }, email, { actor, requestId });
      return answer;
    },
  }),
  operation({
    ...{ id: "VerifyHumanEmail", method: "POST", path: `${PATH}/email/_verify`, tag, scope: WRITE },
    summary: "Mark a person's e-mail address as verified",
    ...{ ...noBody, answer: changed },
    handle: (ctx, call) => writePerson(ctx, call, ({ email }) => (email === null ? {} : { isEmailVerified: true })),
  }),
  operation({
    ...{ id: "ResendHumanEmailVerification", method: "POST", path: `${PATH}/email/_resend_verification`, tag },
    summary: "Send the code for a person's e-mail address again",
    scope: WRITE,
    ...{ ...noBody, answer: changed },
    async handle(ctx, call) {
      const person = await addressee(ctx, call);
      if (isApiError(person)) return person;
      const { email } = person;
      if (email === null || person.isEmailVerified) {
        return failedPrecondition("user.nothing_to_verify", "The person has no address that waits to be verified.");
      }
      const { actor, requestId } = call.origin;
      const refusal = await countLetterTo(ctx, email);
      if (refusal) return refusal;
      await sendAddressCode(ctx, person, email, { actor, requestId });
      return changedAnswer(ctx, "user", person.id);
    },
  }),
  operation({
    ...{ id: "GetHumanPhone", method: "GET", path: `${PATH}/phone`, tag, scope: READ },
    summary: "Read a person's phone number",
    answer: z.object({
      phone: z.object({ details, phone: z.string().optional(), isPhoneVerified: z.boolean() }),
    }),
    async handle(ctx, { parameters: { userId = "" }, organizationId }) {
      const row = await findShownUser(ctx.db, userId, organizationId);
      if (row?.kind !== "human") return noSuchUser();
      const { phone, isPhoneVerified } = row;
      const shown = phone === null ? {} : { phone };
      return { phone: { details: toDetails(row), ...shown, isPhoneVerified: Boolean(isPhoneVerified) } };
    },
  }),
  operation({
    ...{ id: "UpdateHumanPhone", method: "PUT", path: `${PATH}/phone`, tag, scope: WRITE, answer: changed },
    ...{ summary: "Change a person's phone number", body: phoneBody },
    handle: (ctx, call) =>
      writePerson(ctx, call, { phone: call.body.phone, isPhoneVerified: call.body.isPhoneVerified ?? false }),
  }),
  operation({
    ...{ id: "VerifyHumanPhone", method: "POST", path: `${PATH}/phone/_verify`, tag, scope: WRITE },
    summary: "Mark a person's phone number as verified",
    ...{ ...noBody, answer: changed },
    handle: (ctx, call) => writePerson(ctx, call, ({ phone }) => (phone === null ? {} : { isPhoneVerified: true })),
  }),
  operation({
    ...{ id: "RemoveHumanPhone", method: "DELETE", path: `${PATH}/phone`, tag, scope: WRITE, answer: changed },
    summary: "Remove a person's phone number",
    handle: (ctx, call) => writePerson(ctx, call, { phone: null, isPhoneVerified: false }),
  }),
  operation({
    ...{ id: "SendHumanResetPasswordNotification", method: "POST", tag, scope: WRITE, answer: changed },
    path: `${PATH}/password/_reset_notification`,
    summary: "Send a person a link to choose a new password",
    body: strict({ type: z.literal("TYPE_EMAIL").optional() }),
    bodyIsOptional: true,
    async handle(ctx, call) {
      const person = await addressee(ctx, call);
      if (isApiError(person)) return person;
      if (person.email === null || !person.isEmailVerified) return unverified();
      const refusal = await countLetterTo(ctx, person.email);
      if (refusal) return refusal;
      const { actor, requestId } = call.origin;
      const flow = { kind: "sign-in", startedAt: ctx.clock() } as const;
      const sent = await sendResetCode(ctx, person, { flow }, { actor, requestId });
      return sent === undefined ? notActive() : changedAnswer(ctx, "user", person.id);
    },
  }),
  operation({
    ...{ id: "ResendHumanInitialization", method: "POST", path: `${PATH}/_resend_initialization`, tag, scope: WRITE },
    summary: "Send the invitation to a person without a password again",
    ...{ body: strict({ email: field.email.optional() }), bodyIsOptional: true, answer: changed },
    async handle(ctx, call) {
      const { origin } = call;
      const person = await addressee(ctx, call);
      if (isApiError(person)) return person;
      if (person.passwordHash !== null) {
        return failedPrecondition("user.already_initialized", "The person has a password already.");
      }
      if (!person.mayAuthenticate) return notActive();
      const email = call.body.email ?? person.email;
      if (email === null) return failedPrecondition("user.no_email", "The person has no mail address.");
      const refusal = await countLetterTo(ctx, email);
      if (refusal) return refusal;
      const answer = await changeUser(ctx, personOf(call), origin, async (tx, stored) => {
        if (email !== stored.email) {
          await changePerson(ctx, tx, stored, { email, isEmailVerified: false }, origin);
        }
        await makeFirstLink(ctx, tx, { ...stored, email }, { type: "init" }, { send: true, origin });
        return undefined;
      });
      return answer ?? changedAnswer(ctx, "user", person.id);
    },
  }),
];

const notActive = () => failedPrecondition("user.not_active", "The person, or the organization, is not active.");
