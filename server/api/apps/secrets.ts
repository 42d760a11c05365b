/** Secrets of apps: a second one may exist beside the first, so that an app can move to it without an interruption. */
import { z } from "zod";
import { MAX_SECRETS, makeAppSecret, removeSecretOfApp } from "../../directory/app/secret";
import { strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { appRefOf, changedApp, PATH, tag, WRITE } from "./apps";

const madeSecret = z.object({
  clientSecret: z.string().meta({ description: "Shown only once" }),
  secretId: z.string(),
  details,
});

export const appSecretOperations = [
  ...(["oidc", "api"] as const).map((kind) =>
    operation(
      kind === "oidc" ? "RegenerateOIDCClientSecret" : "RegenerateAPIClientSecret",
      `POST ${PATH}/:appId/${kind}_config/_generate_client_secret`,
      {
        tag,
        summary: `Create a client secret of ${kind === "oidc" ? "an app" : "an API"}`,
        description: `Existing secrets stay valid, ${MAX_SECRETS} in all at most, until they are removed; with \`keepOthers: false\` they end at once.`,
        scope: WRITE,
        body: strict({ keepOthers: z.boolean().optional() }),
        bodyIsOptional: true,
        answer: madeSecret,
        async handle(ctx, call) {
          const { keepOthers = true } = call.body;
          const made = await makeAppSecret(ctx, appRefOf(call), { kind, keepOthers });
          return isApiError(made) ? made : { ...made, ...(await changedAnswer(ctx, "app", appRefOf(call).appId)) };
        },
      },
    ),
  ),
  ...(["oidc", "api"] as const).map((kind) =>
    operation(
      kind === "oidc" ? "AddOIDCClientSecret" : "AddAPIClientSecret",
      `POST ${PATH}/:appId/${kind}_config/_add_client_secret`,
      {
        tag,
        summary: `Add a client secret to ${kind === "oidc" ? "an app" : "an API"}`,
        description: `Existing secrets stay valid, ${MAX_SECRETS} in all at most. Two weeks before \`expiresAt\` the event \`app.secret.expiring\` is recorded.`,
        scope: WRITE,
        body: strict({ expiresAt: instant.optional() }),
        bodyIsOptional: true,
        answer: madeSecret,
        async handle(ctx, call) {
          const wanted = { kind, keepOthers: true, expiresAt: call.body.expiresAt };
          const made = await makeAppSecret(ctx, appRefOf(call), wanted);
          return isApiError(made) ? made : { ...made, ...(await changedAnswer(ctx, "app", appRefOf(call).appId)) };
        },
      },
    ),
  ),
  operation("RemoveAppSecret", `DELETE ${PATH}/:appId/secrets/:secretId`, {
    tag,
    summary: "Remove a client secret",
    scope: WRITE,
    handle: (ctx, call) =>
      changedApp(ctx, appRefOf(call), removeSecretOfApp(ctx, appRefOf(call), call.parameters.secretId ?? "")),
  }),
];
