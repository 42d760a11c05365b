/** Checks an authorization URL for an administrator and returns the first rule that it breaks. Issues nothing. */
import { z } from "zod";
import { checkAuthorizeUrl } from "../../access/authorize-check";
import { issue } from "../../protocol/reason";
import { operation } from "../operation/operation";

const MAX_CHARACTERS = 40_000;

export const authorizeCheckOperations = [
  operation("CheckAuthorizeUrl", "POST /v2/oidc/authorize_check", {
    tag: "Apps",
    summary: "Explain why an authorization address does not work",
    description:
      "Applies the rules of the authorization endpoint. Apps of other organizations and apps that do not exist give the same response.",
    scope: { level: "projects", permission: "project.app.read" },
    body: z.object({
      url: z
        .string({ error: issue("authorization_address") })
        .min(1, { error: issue("empty") })
        .max(MAX_CHARACTERS, { error: issue("too_long", { n: MAX_CHARACTERS }) }),
    }),
    answer: z.union([
      z.object({ valid: z.literal(true), clientId: z.string(), scope: z.string() }),
      z.object({
        valid: z.literal(false),
        rule: z.string().meta({ description: "The first parameter that breaks a rule; `url` for the URL itself" }),
        error: z.string(),
        description: z.string(),
        answeredAt: z.enum(["page", "redirect_uri"]),
        redirectUri: z
          .object({
            sent: z.string(),
            closest: z.string().optional().meta({ description: "The most similar registered address" }),
            difference: z.array(z.object({ kind: z.enum(["same", "missing", "extra"]), text: z.string() })).optional(),
            notRegistrable: z.string().optional(),
          })
          .optional(),
      }),
    ]),
    handle: (ctx, { caller, body }) => checkAuthorizeUrl(ctx, caller, body.url),
  }),
];
