/** Links by which people add a passkey, by both versions of the API. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { inviteToPasskey } from "../../directory/user/passkey-link";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";

const tag = "User credentials";
const scope = { tag, scope: ownedBy("user.write") };
const PATH = "/management/v1/users/:userId/passwordless";
const AS_POWERFUL =
  "Anyone who has the link can add a passkey that is sufficient to sign in. The link works once, for the configured lifetime (an hour), and until another one is created.";

export const passkeyLinkOperations: readonly Operation[] = [
  operation("SendPasswordlessRegistration", `POST ${PATH}/_send_link`, {
    ...scope,
    summary: "Mail a person a link to add a passkey",
    description: `With the message \`passwordless_registration\`, to the verified address. ${AS_POWERFUL}`,
    ...noBody,
    handle: (ctx, call) =>
      changedUser(
        ctx,
        call,
        inviteToPasskey(ctx, userRefOf(call), { by: "mail" }, call.origin).then((made) =>
          isApiError(made) ? made : undefined,
        ),
      ),
  }),
  operation("AddPasswordlessRegistration", `POST ${PATH}/_link`, {
    ...scope,
    summary: "Make a link to add a passkey, to be handed over",
    description: AS_POWERFUL,
    ...noBody,
    answer: z.object({ details, link: z.string(), expiration: timestamp }),
    async handle(ctx, call) {
      const made = await inviteToPasskey(ctx, userRefOf(call), { by: "caller" }, call.origin);
      if (isApiError(made)) return made;
      return { details: made.details, link: made.link, expiration: new Date(made.expiresAt).toISOString() };
    },
  }),
  operation("CreatePasskeyRegistrationLink", "POST /v2/users/:userId/passkeys/registration_link", {
    ...scope,
    summary: "Mail a person a link to add a passkey, or return it to be handed over",
    description: `Mailed with the message \`passwordless_registration\` unless \`returnCode\` is given. ${AS_POWERFUL}`,
    body: strict({ sendLink: strict({}).optional(), returnCode: strict({}).optional() }).superRefine(
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
      const by = call.body?.returnCode ? "caller" : "mail";
      const made = await inviteToPasskey(ctx, userRefOf(call), { by }, call.origin);
      if (isApiError(made)) return made;
      const { id, token: code, link } = made;
      return by === "mail" ? { details: made.details } : { details: made.details, code: { id, code }, link };
    },
  }),
];
