/** Trial sign-ins of an app: the first one, and those of the playground. */
import { z } from "zod";
import { latestSignIn } from "../../access/latest-sign-in";
import { redeemPlaygroundCode } from "../../access/playground-code";
import { strict } from "../../directory/fields";
import { isApiError } from "../../protocol/api-error";
import { MAX_LENGTHS } from "../../protocol/lengths";
import { isError } from "../../protocol/oauth-error";
import { READ_REASONS } from "../../protocol/sign-in-attempt";
import { operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { appRefOf, PATH, READ, tag, WRITE } from "./apps";

const time = (at: number): string => new Date(at).toISOString();

export const appTrialOperations = [
  operation("GetLatestAppSignIn", `GET ${PATH}/:appId/latest_sign_in`, {
    tag,
    summary: "Read who signed in to an app last, and what went wrong since",
    description:
      "For pages that wait for the first sign-in; may be polled every few seconds. Considers the caller and, with `user.read`, the users of the organization who signed in to the app recently. It is based on the tokens of the app, not on attempts, so every listed sign-in succeeded. A trial in the playground is not a sign-in to the app and is reported separately.",
    scope: READ,
    answer: z.object({
      signIn: z
        .object({
          userId: z.string().optional().meta({ description: "Left out for users of other organizations" }),
          displayName: z.string().optional(),
          organizationId: z.string().optional(),
          date: timestamp,
          idToken: z
            .object({
              header: z
                .object({
                  alg: z.string().meta({ description: "The algorithm of the app's ID tokens" }),
                  kid: z.string().meta({ description: "The key that signs them now" }),
                  typ: z.string().meta({ description: "Always `JWT`" }),
                })
                .meta({ description: "Its header" }),
              payload: z.record(z.string(), z.unknown()).meta({
                description: "Its claims, without `nonce` and `at_hash`",
              }),
            })
            .optional()
            .meta({
              description:
                "The ID token that the app would receive for this sign-in now, without a signature. Only for the named user, if the app redeemed a code for the scope `openid`, and until the sign-in has ended",
            }),
        })
        .optional(),
      trial: z.object({ date: timestamp }).optional().meta({
        description: "The latest trial in the playground; left out once someone has signed in to the app itself",
      }),
      refused: z
        .object({ reason: z.enum(READ_REASONS), detail: z.string().optional(), date: timestamp })
        .optional()
        .meta({ description: "The latest attempt, if it failed and no one has signed in since; requires `user.read`" }),
    }),
    async handle(ctx, call) {
      const found = await latestSignIn(ctx, call.caller, appRefOf(call));
      if (isApiError(found)) return found;
      const { signIn: { at, ...person } = { at: undefined }, trial, refused } = found;
      return {
        ...(at !== undefined && { signIn: { ...person, date: time(at) } }),
        ...(trial && { trial: { date: time(trial.at) } }),
        ...(refused && {
          refused: { reason: refused.reason, detail: refused.detail ?? undefined, date: time(refused.at) },
        }),
      };
    },
  }),
  operation("RedeemPlaygroundCode", `POST ${PATH}/:appId/playground/_redeem`, {
    tag,
    summary: "Redeem the code of a trial sign-in of the console's playground",
    description:
      "Accepts only codes that were returned to the playground's own address, which must be one of the app's redirect URIs. The permission to change the app replaces its secret or key. Returns the response of the token endpoint.",
    scope: WRITE,
    body: strict({
      code: z.string().min(1).max(MAX_LENGTHS.code),
      codeVerifier: z.string().min(1).max(128).optional().meta({ description: "The PKCE code verifier (RFC 7636)" }),
    }),
    answer: z.object({
      status: z.int().meta({ description: "The status of the token endpoint: 200, or 400 with an error" }),
      response: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
    async handle(ctx, call) {
      const outcome = await redeemPlaygroundCode(ctx, call.caller, appRefOf(call), call.body);
      if (isApiError(outcome)) return outcome;
      if (isError(outcome)) {
        const { error, description } = outcome;
        return { status: 400, response: { error, error_description: description } as Record<string, string> };
      }
      const issued = Object.entries(outcome).filter(([, value]) => value !== undefined);
      return { status: 200, response: Object.fromEntries(issued) as Record<string, string | number> };
    },
  }),
];
