/** Adds users: with a mail to them, imported with a password hash, or by version 2 of the API. */
import { z } from "zod";
import { checkPermission } from "../../access/permissions";
import type { Context } from "../../context";
import * as field from "../../directory/fields";
import { addLinkedPerson } from "../../directory/identity-provider/add-linked-person";
import { MAX_KEYS } from "../../directory/metadata";
import { readOrganizationOfDomain } from "../../directory/organization/list";
import { addPersonWithMail, type GivenCodes } from "../../directory/user/add-person";
import { createMachine } from "../../directory/user/create";
import { refuseWeakHash } from "../../directory/user/imported-hash";
import { findDetails, type OriginContext } from "../../events/record";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { issue, reason } from "../../protocol/reason";
import { changedAnswer } from "../operation/answers";
import { metadataValue } from "../operation/metadata-operations";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { codes, emailV2, idpLink, machineV2, phoneV2, profileV2, toCodes, toTokenFormat } from "./named-fields";
import { hashedPassword, hashedPasswordV2, humanShape, password, toPerson } from "./schemas";

const { strict } = field;
const tag = "Users";
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "nobody" } } as const;
const userIdAnswer = z.object({ userId: z.string(), details });

const oneOfBoth = { error: issue("password_or_hash") };

const MAX_LINKS = 20;

/** The schema of version 2. */
const humanV2 = {
  profile: profileV2,
  email: emailV2,
  phone: phoneV2.optional(),
  password: strict({ password, changeRequired: z.boolean().optional() }).optional(),
  hashedPassword: hashedPasswordV2.optional(),
  metadata: z
    .array(strict({ key: field.name, value: metadataValue }))
    .max(MAX_KEYS, { error: issue("entries", { n: MAX_KEYS }) })
    .optional(),
  idpLinks: z
    .array(idpLink)
    .max(MAX_LINKS, { error: issue("entries", { n: MAX_LINKS }) })
    .optional(),
  totpSecret: field
    .line(200)
    .optional()
    .meta({ description: "The key of an authenticator app that the user has already, in base32" }),
};
type HumanV2 = z.output<z.ZodObject<typeof humanV2>>;

const named = { userId: field.identifier.optional(), username: field.userName.optional() };
const notBothV2 = (given: { password?: object; hashedPassword?: object }) => !(given.password && given.hashedPassword);

/** The organization that the body names, if the caller may add users there; by default the caller's own. */
async function organizationIn(
  ctx: Context,
  { caller }: Pick<OperationCall<unknown, unknown>, "caller">,
  organizationId = caller.organizationId,
): Promise<string | ApiError> {
  return (await checkPermission(ctx, caller, "user.write", { organizationId })) ?? organizationId;
}

/** A domain that no organization has proven is refused like a foreign organization. */
async function organizationOf(
  ctx: Context,
  named: { orgId?: string; orgDomain?: string } = {},
): Promise<string | undefined> {
  if (named.orgDomain === undefined) return named.orgId;
  const found = await readOrganizationOfDomain(ctx, named.orgDomain);
  return isApiError(found) ? "" : found.id;
}

type Who = { userId?: string; username?: string; organizationId: string };

function addHumanV2(ctx: OriginContext, who: Who, human: HumanV2) {
  const { profile, email, phone, password: given, hashedPassword: hashed } = human;
  const { givenName: firstName, familyName: lastName, ...names } = profile;
  const fields = toPerson({
    userId: who.userId,
    userName: who.username ?? email.value,
    profile: { ...names, firstName, lastName },
    email: { email: email.value, isEmailVerified: email.isVerified },
    phone: phone && { phone: phone.value, isPhoneVerified: phone.isVerified },
  });
  const person = {
    ...fields,
    id: who.userId,
    organizationId: who.organizationId,
    email: email.value,
    password: given?.password,
    passwordHash: hashed?.hash,
    passwordChangeRequired: given?.changeRequired ?? hashed?.changeRequired ?? false,
  };
  const belongings = {
    links: human.idpLinks?.map(({ idpId: providerId, userId: externalId, userName }) => {
      return { providerId, externalId, userName };
    }),
    metadata: human.metadata?.map(({ key, value }) => ({ key, bytes: value })),
    totpSecret: human.totpSecret,
  };
  return addLinkedPerson(ctx, person, { email: email.delivery, phone: phone?.delivery }, belongings);
}

async function addMachineV2(
  ctx: OriginContext,
  { userId: id, username: userName, organizationId }: Who,
  { name, description, accessTokenType }: Partial<z.output<typeof machineV2>>,
) {
  if (userName === undefined) {
    return invalidArgument("user.no_name", "A machine needs a user name. Send userName.", {
      field: "username",
      reason: reason("required"),
    });
  }
  const format = toTokenFormat(accessTokenType) ?? "bearer";
  return createMachine(ctx, { id, userName, organizationId, name, description, accessTokenType: format });
}

const mailsWhenWanted =
  "Nothing is mailed unless `email.sendCode` asks for the message `verifyemail`, whose link also lets a user without a password choose one; `returnCode` returns the code. To invite the user, use `POST /v2/users/{userId}/invite_code`.";

export const userHumanOperations: readonly Operation[] = [
  operation("AddHumanUser", "POST /management/v1/users/human", {
    ...WRITE,
    summary: "Add a human user",
    description:
      "Without a password, the message `init` is sent. With one, the user must change it, and is asked to confirm the address unless it is verified.",
    body: strict({ ...humanShape, initialPassword: password.optional() }),
    answer: userIdAnswer,
    async handle(ctx, { body, organizationId }) {
      const { initialPassword, ...human } = body;
      const person = {
        ...toPerson(human),
        id: human.userId,
        organizationId,
        email: human.email.email,
        password: initialPassword,
        passwordChangeRequired: initialPassword !== undefined,
      };
      const made = await addPersonWithMail(ctx, person, { delivery: "send" });
      return isApiError(made) ? made : { userId: made.id, ...(await changedAnswer(ctx, "user", made.id)) };
    },
  }),
  operation("ImportHumanUser", "POST /management/v1/users/human/_import", {
    ...WRITE,
    summary: "Import a human user without sending an email",
    body: strict({
      ...humanShape,
      password: password.optional(),
      hashedPassword: hashedPassword.optional(),
      passwordChangeRequired: z.boolean().optional(),
      allowWeakHashes: z.boolean().optional(),
    })
      .refine((given) => given.password === undefined || given.hashedPassword === undefined, oneOfBoth)
      .superRefine((given, issues) =>
        refuseWeakHash(given.hashedPassword?.value, given, issues, ["hashedPassword", "value"]),
      ),
    answer: userIdAnswer,
    async handle(ctx, { body, organizationId }) {
      const { password: given, hashedPassword: hashed, passwordChangeRequired, allowWeakHashes: _, ...human } = body;
      const person = {
        ...toPerson(human),
        id: human.userId,
        organizationId,
        email: human.email.email,
        password: given,
        passwordHash: hashed?.value,
        passwordChangeRequired,
      };
      const made = await addPersonWithMail(ctx, person, { delivery: "none" });
      return isApiError(made) ? made : { userId: made.id, ...(await changedAnswer(ctx, "user", made.id)) };
    },
  }),
  operation("AddHumanUserV2", "POST /v2/users/human", {
    tag,
    scope: { level: "caller" },
    summary: "Add a human user to the organization named in the body",
    description: mailsWhenWanted,
    body: strict({
      ...named,
      ...humanV2,
      organization: strict({ orgId: field.identifier, orgDomain: field.domain })
        .partial()
        .refine(({ orgId, orgDomain }) => (orgId === undefined) !== (orgDomain === undefined), {
          error: issue("one_or_other", { one: "orgId", other: "orgDomain" }),
        })
        .optional(),
    }).refine(notBothV2, oneOfBoth),
    answer: z.object({ userId: z.string(), details, ...codes }),
    async handle(ctx, call) {
      const { organization, userId, username, ...human } = call.body;
      const organizationId = await organizationIn(ctx, call, await organizationOf(ctx, organization));
      if (isApiError(organizationId)) return organizationId;
      const made = await addHumanV2(ctx, { userId, username, organizationId }, human);
      if (isApiError(made)) return made;
      return { userId: made.id, ...(await changedAnswer(ctx, "user", made.id)), ...toCodes(made) };
    },
  }),
  operation("CreateUserV2", "POST /v2/users/new", {
    tag,
    scope: { level: "caller" },
    summary: "Add a human or machine user to the organization named in the body",
    description: mailsWhenWanted,
    body: strict({
      ...named,
      organizationId: field.identifier.optional(),
      machine: machineV2.optional(),
      human: strict(humanV2).refine(notBothV2, oneOfBoth).optional(),
    }).refine(({ human, machine }) => (human === undefined) !== (machine === undefined), {
      error: issue("one_or_other", { one: "human", other: "machine" }),
    }),
    answer: z.object({ id: z.string(), creationDate: timestamp, ...codes }),
    async handle(ctx, call) {
      const { human, machine, userId, username } = call.body;
      const organizationId = await organizationIn(ctx, call, call.body.organizationId);
      if (isApiError(organizationId)) return organizationId;
      const who = { userId, username, organizationId };
      const made: ({ id: string } & GivenCodes) | ApiError = human
        ? await addHumanV2(ctx, who, human)
        : await addMachineV2(ctx, who, machine ?? {});
      if (isApiError(made)) return made;
      const creationDate = (await findDetails(ctx, "user", made.id))?.creationDate ?? "";
      return { id: made.id, creationDate, ...toCodes(made) };
    },
  }),
];
