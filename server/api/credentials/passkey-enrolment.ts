/** Adds passkeys, and keys that are only a second factor, on a page of the caller. */
import { z } from "zod";
import type { Context } from "../../context";
import { line, strict } from "../../directory/fields";
import type { OriginContext } from "../../events/record";
import { keepPasskeyOf, requestPasskeyOf, type WantedPasskey } from "../../login/factors/passkey-enrolment";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { answered, changedAnswer } from "../operation/answers";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { ownedBy, userRefOf } from "../users/user-ref";

const WRITE = { tag: "User credentials", scope: ownedBy("user.write") };
const PATH = "/v2/users/:userId";

const ATTACHMENTS = {
  PASSKEY_AUTHENTICATOR_UNSPECIFIED: undefined,
  PASSKEY_AUTHENTICATOR_PLATFORM: "platform",
  PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: "cross-platform",
} as const;
const domain = line(255).optional().meta({ description: "The host of the page: that of this service" });
const credential = z.record(z.string(), z.unknown()).meta({ description: "What the browser made, as JSON" });
const options = z
  .record(z.string(), z.unknown())
  .meta({ description: "For `navigator.credentials.create`, with bytes in base64url" });
const added = z.object({
  details,
  recoveryCodes: z
    .array(z.string())
    .optional()
    .meta({ description: "With the user's first factor. You show them; they cannot be read again" }),
});

type Call = OperationCall<unknown, unknown>;

async function request(ctx: Context, call: Call, wanted: WantedPasskey) {
  const { userId } = userRefOf(call);
  const made = await requestPasskeyOf(ctx, userId, wanted);
  if (isApiError(made)) return made;
  const { id, publicKey } = made;
  return { id, ...(await changedAnswer(ctx, "user", userId)), publicKeyCredentialCreationOptions: { publicKey } };
}

function keep(
  ctx: OriginContext,
  call: OperationCall<{ publicKeyCredential: object }, unknown>,
  name: string | undefined,
) {
  const { userId } = userRefOf(call);
  const made = { id: call.parameters.passkeyId ?? "", credential: call.body.publicKeyCredential, name };
  return answered(keepPasskeyOf(ctx, userId, made), async ({ recoveryCodes }) => ({
    ...(await changedAnswer(ctx, "user", userId)),
    ...(recoveryCodes && { recoveryCodes }),
  }));
}

const under = <Name extends string>(name: Name, made: Awaited<ReturnType<typeof request>>) => {
  if (isApiError(made)) return made as ApiError;
  const { id, ...rest } = made;
  return { ...rest, [name]: id } as typeof rest & Record<Name, string>;
};

const WITHIN = "The request works for half an hour. The passkey is then listed under an ID of its own.";

export const passkeyEnrolmentOperations: readonly Operation[] = [
  operation("RegisterPasskey", `POST ${PATH}/passkeys`, {
    ...WRITE,
    summary: "Start adding a passkey of a user on a page of yours",
    description: `The page must be on the host of this service. ${WITHIN}`,
    body: strict({
      code: strict({ id: line(200).optional(), code: line(200) })
        .optional()
        .meta({ description: "Of a link for adding a passkey, which the passkey uses up" }),
      authenticator: z.enum(Object.keys(ATTACHMENTS) as (keyof typeof ATTACHMENTS)[]).optional(),
      domain,
    }),
    bodyIsOptional: true,
    answer: z.object({ details, passkeyId: z.string(), publicKeyCredentialCreationOptions: options }),
    async handle(ctx, call) {
      const { code, authenticator = "PASSKEY_AUTHENTICATOR_UNSPECIFIED", domain: wanted } = call.body;
      const wishes = { code: code?.code, domain: wanted, attachment: ATTACHMENTS[authenticator] };
      return under("passkeyId", await request(ctx, call, wishes));
    },
  }),
  operation("VerifyPasskeyRegistration", `POST ${PATH}/passkeys/:passkeyId`, {
    ...WRITE,
    summary: "Add the passkey that the browser made",
    body: strict({ publicKeyCredential: credential, passkeyName: line(60).optional() }),
    answer: added,
    handle: (ctx, call) => keep(ctx, call, call.body.passkeyName),
  }),
  operation("RegisterU2F", `POST ${PATH}/u2f`, {
    ...WRITE,
    summary: "Start adding a key that confirms a user's sign-ins on a page of yours",
    description: `It does not replace the password. The page must be on the host of this service. ${WITHIN}`,
    body: strict({ domain }),
    bodyIsOptional: true,
    answer: z.object({ details, u2fId: z.string(), publicKeyCredentialCreationOptions: options }),
    handle: async (ctx, call) =>
      under("u2fId", await request(ctx, call, { domain: call.body.domain, isOnlySecond: true })),
  }),
  operation("VerifyU2FRegistration", `POST ${PATH}/u2f/:passkeyId`, {
    ...WRITE,
    summary: "Add the key that the browser used",
    body: strict({ publicKeyCredential: credential, tokenName: line(60).optional() }),
    answer: added,
    handle: (ctx, call) => keep(ctx, call, call.body.tokenName),
  }),
];
