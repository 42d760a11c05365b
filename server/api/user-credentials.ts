/** The credentials of a person, which administrators can list and remove. */

import { z } from "zod";
import type { Context } from "../context";
import { hashGivenPassword } from "../crypto/password-hash";
import * as field from "../directory/fields";
import { noSuchUser } from "../directory/not-found";
import { changeUser, wrongKind } from "../directory/user/change";
import { removePasskey } from "../directory/user/passkey";
import { setPasswordIn } from "../directory/user/password";
import { removeRecoveryCodes } from "../directory/user/recovery-codes";
import { removeFactor, sentFactorId } from "../directory/user/second-factor";
import { forgiveWrongPasswords } from "../directory/user/wrong-passwords";
import { countLetterTo } from "../login/add-person";
import { makeFirstLink } from "../login/initial-password";
import { failedPrecondition, isApiError, notFound } from "../protocol/api-error";
import { factorKinds, isSentKind } from "../protocol/second-factor";
import { findOrganizationName } from "../storage/managed-organizations";
import { listPasskeys } from "../storage/passkeys";
import { listFactors } from "../storage/second-factors";
import { findShownUser, type ShownUser } from "../storage/user-list";
import { changedAnswer } from "./answers";
import { type Operation, type OperationCall, operation } from "./operation";
import { changed, details, moment } from "./schemas";
import { noBody, ownedBy } from "./user-place";
import { password } from "./user-schemas";

const { strict } = field;
const tag = "User credentials";
const PATH = "/management/v1/users/:userId";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", over: "user" } as const;
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "origin">;

async function findPersonOf(ctx: Context, { parameters: { userId = "" }, organizationId }: Call) {
  const row = await findShownUser(ctx.db, userId, organizationId);
  if (!row) return noSuchUser();
  return row.kind === "human" ? row : wrongKind("human");
}

/** Removes a credential of a person of the organization. */
async function takeAway(ctx: Context, call: Call, remove: (person: ShownUser) => Promise<boolean>, what: string) {
  const person = await findPersonOf(ctx, call);
  if (isApiError(person)) return person;
  if (!(await remove(person))) return notFound("credential.not_found", `The person has no such ${what}.`);
  return changedAnswer(ctx, "user", person.id);
}

const time = (at: number) => new Date(at).toISOString();
const used = (at: number | null) => (at === null ? {} : { lastUsedDate: time(at) });
const times = { creationDate: moment, lastUsedDate: moment.optional() };

export const userCredentialOperations: readonly Operation[] = [
  operation({
    ...{ id: "SetHumanPassword", method: "POST", path: `${PATH}/password`, tag, scope: WRITE, answer: changed },
    summary: "Set a person's password",
    description:
      "The person has to change it at the next sign-in unless `noChangeRequired`. Everything signed in before ends. Better mail a link: then nobody else knows the password.",
    body: strict({ password, noChangeRequired: z.boolean().optional() }),
    async handle(ctx, call) {
      const { body, origin } = call;
      const person = await findPersonOf(ctx, call);
      if (isApiError(person)) return person;
      const newHash = await hashGivenPassword(body.password);
      const place = { userId: person.id, organizationId: call.organizationId, kind: "human" } as const;
      const changeRequired = !body.noChangeRequired;
      const outcome = await changeUser(ctx, place, origin, (tx) =>
        setPasswordIn(ctx, tx, { userId: person.id, newHash, origin, changeRequired }),
      );
      if (isApiError(outcome)) return outcome;
      await forgiveWrongPasswords(ctx, person.id);
      return changedAnswer(ctx, "user", person.id);
    },
  }),
  operation({
    ...{ id: "CreateInviteCode", method: "POST", path: "/v2/users/:userId/invite_code", tag },
    summary: "Invite a person to choose a password",
    description:
      "The code is mailed with the message `invite_user`, or returned to be handed over. Without a name the organization invites.",
    scope: ownedBy("user.write"),
    body: strict({
      sendCode: strict({ applicationName: field.name.optional() }).optional(),
      returnCode: strict({}).optional(),
    }).refine(({ sendCode, returnCode }) => !(sendCode && returnCode), {
      error: "sends the code or returns it, not both",
    }),
    bodyIsOptional: true,
    answer: z.object({ details, inviteCode: z.string().optional(), inviteLink: z.string().optional() }),
    async handle(ctx, { parameters: { userId = "" }, organizationId, body, origin }) {
      const send = body.returnCode === undefined;
      const place = { userId, organizationId, kind: "human" } as const;
      const applicationName =
        body.sendCode?.applicationName ?? (await findOrganizationName(ctx.db, organizationId)) ?? "";
      const person = await findShownUser(ctx.db, userId);
      const refusal = send && person?.email ? await countLetterTo(ctx, person.email) : undefined;
      if (refusal) return refusal;
      const made = await changeUser(ctx, place, origin, async (tx, user) => {
        if (user.state !== "active") return failedPrecondition("user.not_active", "The person is not active.");
        if (user.passwordHash !== null) {
          return failedPrecondition("user.already_initialized", "The person has a password already.");
        }
        if (user.email === null) return failedPrecondition("user.no_email", "The person has no mail address.");
        return makeFirstLink(ctx, tx, user, { type: "invite_user", applicationName }, { send, origin });
      });
      if (isApiError(made)) return made;
      return { details: made.details, ...(send ? {} : { inviteCode: made.token, inviteLink: made.link }) };
    },
  }),
  operation({
    ...{ id: "ListHumanAuthFactors", method: "POST", path: `${PATH}/auth_factors/_search`, tag, scope: READ },
    summary: "List a person's second factors",
    ...noBody,
    answer: z.object({
      result: z.array(
        z.object({
          id: z.string(),
          type: z.enum(Object.values(factorKinds).map(({ apiType }) => apiType)),
          name: z.string().optional(),
          ...times,
        }),
      ),
    }),
    async handle(ctx, call) {
      const person = await findPersonOf(ctx, call);
      if (isApiError(person)) return person;
      const rows = await listFactors(ctx.db, person.id);
      return {
        result: rows.map(({ id, kind, name, createdAt, usedAt }) => ({
          id: isSentKind(kind) ? kind : id,
          type: factorKinds[kind].apiType,
          ...(name !== null && { name }),
          ...{ creationDate: time(createdAt), ...used(usedAt) },
        })),
      };
    },
  }),
  operation({
    ...{ id: "RemoveHumanAuthFactor", method: "DELETE", path: `${PATH}/auth_factors/:factorId`, tag, scope: WRITE },
    summary: "Remove a second factor of a person",
    answer: changed,
    handle: (ctx, call) => {
      const { factorId = "" } = call.parameters;
      const idOf = (person: ShownUser) => (isSentKind(factorId) ? sentFactorId(factorId, person.id) : factorId);
      return takeAway(ctx, call, (person) => removeFactor(ctx, person, idOf(person), call.origin), "factor");
    },
  }),
  operation({
    ...{ id: "ListHumanPasswordless", method: "POST", path: `${PATH}/passwordless/_search`, tag, scope: READ },
    summary: "List a person's passkeys",
    ...noBody,
    answer: z.object({
      result: z.array(z.object({ id: z.string(), name: z.string(), isMultiDevice: z.boolean(), ...times })),
    }),
    async handle(ctx, call) {
      const person = await findPersonOf(ctx, call);
      if (isApiError(person)) return person;
      const rows = await listPasskeys(ctx.db, person.id);
      return {
        result: rows.map(({ id, name, isMultiDevice, createdAt, usedAt }) => ({
          ...{ id, name, isMultiDevice: Boolean(isMultiDevice), creationDate: time(createdAt), ...used(usedAt) },
        })),
      };
    },
  }),
  operation({
    ...{ id: "RemoveHumanPasswordless", method: "DELETE", path: `${PATH}/passwordless/:passkeyId`, tag, scope: WRITE },
    summary: "Remove a passkey of a person",
    answer: changed,
    handle: (ctx, call) => {
      const { passkeyId = "" } = call.parameters;
      return takeAway(ctx, call, (person) => removePasskey(ctx, person, passkeyId, call.origin), "passkey");
    },
  }),
  operation({
    ...{ id: "RemoveHumanRecoveryCodes", method: "DELETE", path: `${PATH}/recovery_codes`, tag, scope: WRITE },
    summary: "Remove a person's recovery codes",
    answer: changed,
    handle: (ctx, call) =>
      takeAway(ctx, call, (person) => removeRecoveryCodes(ctx, person, call.origin), "recovery codes"),
  }),
];
