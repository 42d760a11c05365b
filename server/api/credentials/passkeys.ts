/** Lists and removes the passkeys of a user, and makes links to add one. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import {
  type ListedPasskey,
  listPasskeysOf,
  readAuthenticationMethods,
  removePasskeyOf,
} from "../../directory/user/credentials";
import { inviteToPasskey } from "../../directory/user/passkey";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { answered } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { codeDeliveryOf, urlTemplate } from "../users/code-ways";
import { OWN, OWN_PATH, OWN_RECENT } from "../users/own";
import { changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";
import { detailsOf, isOnlySecond, listDetails, passkey, toPasskey } from "./factor-answers";

const tag = "User credentials";
const PATH = "/management/v1/users/:userId";
const PATH_V2 = "/v2/users/:userId";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const WRITE_V2 = { tag, scope: ownedBy("user.write") };

const passkeyShape = z.object({
  id: z.string(),
  name: z.string(),
  isMultiDevice: z.boolean().meta({ description: "Whether it may be copied to the user's other devices" }),
  isBackedUp: z.boolean().meta({ description: "Whether it was on another device when it was last used" }),
  creationDate: timestamp,
  lastUsedDate: timestamp.optional(),
});

function toListedPasskey(row: ListedPasskey) {
  return {
    id: row.id,
    name: row.name,
    isMultiDevice: Boolean(row.isMultiDevice),
    isBackedUp: Boolean(row.isBackedUp),
    creationDate: new Date(row.createdAt).toISOString(),
    ...(row.usedAt !== null && { lastUsedDate: new Date(row.usedAt).toISOString() }),
  };
}

const AS_POWERFUL =
  "Anyone who has the link can add a passkey that is sufficient to sign in. The link works once, for the configured lifetime (an hour), and until another one is created.";

export const passkeyOperations: readonly Operation[] = [
  operation("ListHumanPasswordless", `POST ${PATH}/passwordless/_search`, {
    ...READ,
    summary: "List a user's passkeys",
    ...noBody,
    answer: z.object({ result: z.array(passkeyShape) }),
    handle: (ctx, call) =>
      answered(listPasskeysOf(ctx, userRefOf(call)), (rows) => ({ result: rows.map(toListedPasskey) })),
  }),
  operation("ListPasskeysV2", `POST ${PATH_V2}/passkeys/_search`, {
    tag,
    scope: ownedBy("user.read"),
    summary: "List a user's passkeys",
    ...noBody,
    answer: z.object({ details: listDetails, result: z.array(passkey.meta({ id: "PasskeyV2" })) }),
    also: {
      ListMyPasswordless: {
        at: `POST ${OWN_PATH}/passwordless/_search`,
        ...OWN,
        summary: "List the caller's passkeys",
        answer: z.object({ result: z.array(passkey.meta({ id: "OwnPasskey" })) }),
        shows: ({ result }) => ({ result }),
      },
    },
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, userRefOf(call));
      if (isApiError(methods)) return methods;
      const result = methods.passkeys.filter((one) => !isOnlySecond(one)).map(toPasskey);
      return { details: detailsOf(result, ctx.clock()), result };
    },
  }),
  operation("RemoveHumanPasswordless", `DELETE ${PATH}/passwordless/:passkeyId`, {
    ...WRITE,
    summary: "Remove a passkey of a user",
    also: {
      RemovePasskeyV2: {
        at: `DELETE ${PATH_V2}/passkeys/:passkeyId`,
        aliases: [`${PATH_V2}/u2f/:passkeyId`],
        ...WRITE_V2,
        summary: "Remove a passkey of a user, or a key that only confirms a sign-in",
      },
      RemoveMyPasswordless: {
        at: `DELETE ${OWN_PATH}/passwordless/:passkeyId`,
        aliases: [`${OWN_PATH}/auth_factors/u2f/:passkeyId`],
        ...OWN_RECENT,
        summary: "Remove a passkey of the caller's, or a key that only confirms a sign-in",
      },
    },
    handle: (ctx, call) =>
      changedUser(ctx, call, removePasskeyOf(ctx, userRefOf(call), call.parameters.passkeyId ?? "")),
  }),
  operation("SendPasswordlessRegistration", `POST ${PATH}/passwordless/_send_link`, {
    ...WRITE_V2,
    summary: "Mail a user a link to add a passkey",
    description: `With the message \`passwordless_registration\`, to the verified address. ${AS_POWERFUL}`,
    ...noBody,
    handle: (ctx, call) =>
      changedUser(
        ctx,
        call,
        inviteToPasskey(ctx, userRefOf(call), { by: "mail" }).then((made) => (isApiError(made) ? made : undefined)),
      ),
  }),
  operation("AddPasswordlessRegistration", `POST ${PATH}/passwordless/_link`, {
    ...WRITE_V2,
    summary: "Make a link to add a passkey, to be handed over",
    description: AS_POWERFUL,
    ...noBody,
    answer: z.object({ details, link: z.string(), expiration: timestamp }),
    handle: (ctx, call) =>
      answered(inviteToPasskey(ctx, userRefOf(call), { by: "caller" }), (made) => ({
        details: made.details,
        link: made.link,
        expiration: new Date(made.expiresAt).toISOString(),
      })),
  }),
  operation("CreatePasskeyRegistrationLink", `POST ${PATH_V2}/passkeys/registration_link`, {
    ...WRITE_V2,
    summary: "Mail a user a link to add a passkey, or return it to be handed over",
    description: `Mailed with the message \`passwordless_registration\` unless \`returnCode\` is given. ${AS_POWERFUL}`,
    body: strict({ sendLink: strict({ urlTemplate }).optional(), returnCode: strict({}).optional() }).superRefine(
      ({ sendLink, returnCode }, issues) => {
        if (sendLink && returnCode) issues.addIssue({ code: "custom", message: issue("code_way") });
      },
    ),
    bodyIsOptional: true,
    answer: z.object({
      details,
      code: z.object({ id: z.string(), code: z.string() }).optional(),
      link: z.string().optional(),
    }),
    async handle(ctx, call) {
      const { sendLink, returnCode } = call.body ?? {};
      const delivery = codeDeliveryOf({ sendCode: sendLink, returnCode });
      const made = await inviteToPasskey(ctx, userRefOf(call), delivery);
      if (isApiError(made)) return made;
      const { id, token: code, link } = made;
      return delivery.by === "mail" ? { details: made.details } : { details: made.details, code: { id, code }, link };
    },
  }),
];
