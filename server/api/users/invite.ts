/** Invitations of users who have no password yet. */
import { z } from "zod";
import * as field from "../../directory/fields";
import { acceptInvitation, inviteAgain, invitePerson, revokeInvitation } from "../../directory/user/invite";
import { isApiError } from "../../protocol/api-error";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { checkWays, codeDeliveryOf, urlTemplate, verificationCode, ways } from "./code-ways";
import { changedUser, noBody, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "User credentials";
const PATH = "/v2/users/:userId/invite_code";
const scope = { tag, scope: ownedBy("user.write") };

/** Clients of protocol buffers send an empty text for none. */
const applicationName = z.union([z.literal("").transform(() => undefined), field.name]).optional();

export const userInviteOperations: readonly Operation[] = [
  operation("CreateInviteCode", `POST ${PATH}`, {
    ...scope,
    summary: "Invite a user to choose a password",
    description:
      "The code is mailed with the message `invite_user`, or returned, with a link to the service's own page. Without `applicationName`, the message names the organization.",
    body: strict({
      sendCode: strict({ applicationName, urlTemplate }).optional(),
      returnCode: ways.returnCode,
    }).superRefine(checkWays),
    bodyIsOptional: true,
    answer: z.object({ details, inviteCode: z.string().optional(), inviteLink: z.string().optional() }),
    async handle(ctx, call) {
      const delivery = codeDeliveryOf(call.body);
      const wanted = { delivery, applicationName: call.body.sendCode?.applicationName };
      const made = await invitePerson(ctx, userRefOf(call), wanted);
      if (isApiError(made)) return made;
      const handedOver = { inviteCode: made.token, inviteLink: made.link };
      return { details: made.details, ...(delivery.by === "caller" && handedOver) };
    },
  }),
  operation("ResendInviteCode", `POST ${PATH}/resend`, {
    ...scope,
    summary: "Mail the last invitation of a user again, with a new code",
    description: "The text and the link are those of the last invitation, which becomes invalid.",
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, inviteAgain(ctx, userRefOf(call))),
  }),
  operation("RevokeInviteCode", `DELETE ${PATH}`, {
    ...scope,
    summary: "Revoke the invitation of a user",
    description: "Its link and code become invalid. The user is kept and can be invited again.",
    handle: (ctx, call) => changedUser(ctx, call, revokeInvitation(ctx, userRefOf(call))),
  }),
  operation("VerifyInviteCode", `POST ${PATH}/verify`, {
    ...scope,
    summary: "Redeem the code of an invitation, before the user gets a password or a passkey",
    description:
      "A code that was mailed also verifies the address. `POST /v2/users/{userId}/password` also accepts the code, and sets the password immediately.",
    body: strict({ verificationCode }),
    handle: (ctx, call) => changedUser(ctx, call, acceptInvitation(ctx, userRefOf(call), call.body.verificationCode)),
  }),
];
