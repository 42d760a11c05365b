/** Secrets of apps: a second one may exist beside the first, so that an app can move to it without an interruption. */
import { z } from "zod";
import { randomSecret } from "../crypto/random";
import { changeInApp } from "../directory/app/change";
import { addAppSecret, MOST_SECRETS, removeAppSecret } from "../directory/app/secret";
import { strict } from "../directory/fields";
import { failedPrecondition, isApiError, notFound } from "../protocol/api-error";
import { readAppSecrets } from "../storage/app-credentials";
import { changedAnswer } from "./answers";
import { wrongKind } from "./app-config";
import { hasSecret } from "./app-registration";
import { PATH, placeOf, reducedApp, tag, WRITE } from "./apps";
import { operation } from "./operation";
import { changed, details } from "./schemas";

export const appSecretOperations = [
  ...(["oidc", "api"] as const).map((kind) =>
    operation({
      id: kind === "oidc" ? "RegenerateOIDCClientSecret" : "RegenerateAPIClientSecret",
      method: "POST",
      path: `${PATH}/:appId/${kind}_config/_generate_client_secret`,
      tag,
      summary: "Create a client secret",
      description: `Existing secrets stay valid, ${MOST_SECRETS} in all at most, until they are removed; with \`keepOthers: false\` they end at once.`,
      scope: WRITE,
      body: strict({ keepOthers: z.boolean().optional() }),
      bodyIsOptional: true,
      answer: z.object({
        clientSecret: z.string().meta({ description: "Shown only once" }),
        secretId: z.string(),
        details,
      }),
      async handle(ctx, call) {
        const place = placeOf(call);
        const clientSecret = randomSecret();
        const secretId = await changeInApp(ctx, place, call.origin, async (tx, stored, { organizationId }) => {
          if (stored.kind !== kind) return wrongKind(kind);
          if (!hasSecret(stored.settings as { authMethodType?: string })) {
            return failedPrecondition("app.no_secret_method", "This app does not authenticate with a secret.");
          }
          const owned = { id: stored.id, organizationId };
          const others = await readAppSecrets(tx, stored.id);
          if (call.body.keepOthers === false) {
            for (const other of others) await removeAppSecret(ctx, tx, owned, other, call.origin);
          } else if (others.length >= MOST_SECRETS) {
            return failedPrecondition(
              "app.too_many_secrets",
              `An app has ${MOST_SECRETS} secrets at most: remove one.`,
            );
          }
          return addAppSecret(ctx, tx, owned, clientSecret, call.origin);
        });
        return isApiError(secretId)
          ? secretId
          : { clientSecret, secretId, ...(await changedAnswer(ctx, "app", place.appId)) };
      },
    }),
  ),
  operation({
    id: "RemoveAppSecret",
    method: "DELETE",
    path: `${PATH}/:appId/secrets/:secretId`,
    tag,
    summary: "Remove a client secret",
    scope: WRITE,
    answer: changed,
    handle: (ctx, call) =>
      reducedApp(ctx, placeOf(call), async (tx, stored, { organizationId }) => {
        const secrets = await readAppSecrets(tx, stored.id);
        const secret = secrets.find(({ id }) => id === call.parameters.secretId);
        if (!secret) return notFound("app.secret_not_found", "The app has no such secret.");
        return removeAppSecret(ctx, tx, { id: stored.id, organizationId }, secret, call.origin);
      }),
  }),
];
