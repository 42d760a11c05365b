/** The password hook of an organization, by which its users keep passwords that no export contains. */
import { z } from "zod";
import { line, strict } from "../../directory/fields";
import {
  findPasswordHook,
  noPasswordHook,
  removePasswordHook,
  setPasswordHook,
} from "../../directory/password-hook/password-hook";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";

const PATH = "/management/v1/password_hook";
const at = (permission: "policy.read" | "policy.write" | "policy.delete") =>
  ({ tag: "Users", scope: { level: "organization", permission } }) as const;

export const passwordHookOperations: readonly Operation[] = [
  operation("GetPasswordHook", `GET ${PATH}`, {
    ...at("policy.read"),
    summary: "Read the password hook of an organization",
    answer: z.object({ endpoint: z.string() }),
    async handle(ctx, { organizationId }) {
      const hook = await findPasswordHook(ctx, organizationId);
      return hook ? { endpoint: hook.endpoint } : noPasswordHook();
    },
  }),
  operation("SetPasswordHook", `PUT ${PATH}`, {
    ...at("policy.write"),
    summary: "Ask another system for passwords that were not imported",
    description:
      "At the first sign-in of a user who was imported with the hash `{HOOK}`, the endpoint gets a POST request with " +
      '`{"loginName", "password", "userId", "email"?}`, signed with the returned key (Standard Webhooks). It answers ' +
      '`{"verified": true}` or `{"verified": false}` with status 200 within 3 seconds. A verified password is kept ' +
      "here, and the endpoint is not asked for it again. The endpoint can sign in as these users, so the caller must " +
      "hold all permissions of the users. It must be on the public Internet and use https; a service on a loopback " +
      "address may call its own machine.",
    body: strict({
      endpoint: line(2_000),
      renewSigningKey: z
        .boolean()
        .optional()
        .meta({ description: "Makes a new signing key; the old one is invalid at once" }),
    }),
    answer: z.object({
      details,
      signingKey: z.string().optional().meta({ description: "`whsec_` and base64; shown only once, if it is new" }),
    }),
    handle: (ctx, { body, organizationId }) => setPasswordHook(ctx, organizationId, body),
  }),
  operation("RemovePasswordHook", `DELETE ${PATH}`, {
    ...at("policy.delete"),
    summary: "Remove the password hook of an organization",
    description: "Users whose password was not asked for yet choose a new one by email.",
    handle: async (ctx, { organizationId }) => detailsAnswer(await removePasswordHook(ctx, organizationId)),
  }),
];
