/**
 * Registering apps. Settings that can never work are refused; those that are probably a mistake are saved with a
 * warning.
 */

import { z } from "zod";
import type { Context } from "../context";
import { randomSecret } from "../crypto/random";
import { findWrongAddresses } from "../directory/app/addresses";
import { addApp, type NewApp } from "../directory/app/app";
import { changeInProject } from "../directory/app/change-project";
import { apiSettings, type OidcSettings, oidcSettings } from "../directory/app/settings";
import { checkVouching, mayVouch, UNVOUCHED, vouching, vouchingFields } from "../directory/app/vouching";
import { answering } from "../directory/change";
import { clientId, identifier, name, secret, strict } from "../directory/fields";
import { idTaken } from "../directory/identifiers";
import { distinctKeys } from "../directory/public-key-set";
import { type ApiError, invalidArgument, isApiError } from "../protocol/api-error";
import { changedAnswer } from "./answers";
import { compliance, complianceAnswer } from "./app-answers";
import { PATH, placeOf, tag, WRITE } from "./apps";
import { type OperationCall, operation } from "./operation";
import { details } from "./schemas";

const registration = {
  name,
  appId: identifier.optional().meta({ description: "Generated if left out, like the client id" }),
  clientId: clientId.optional(),
  clientSecret: secret.optional().meta({ description: "Generated if left out and the app authenticates with one" }),
  jwks: distinctKeys.optional(),
};

const registered = {
  appId: z.string(),
  details,
  clientId: z.string(),
  clientSecret: z.string().optional().meta({ description: "Shown only once, and only if it was generated here" }),
};

type Registration = Pick<NewApp, "kind" | "name" | "clientId" | "settings" | "jwks" | "isTrusted" | "mayManage"> & {
  appId?: string;
  clientSecret?: string;
};

/** Whether an app with these settings authenticates with a secret, which is the default. */
export function hasSecret(settings: { authMethodType?: string }): boolean {
  return /_(?:BASIC|POST)$/.test(settings.authMethodType ?? "OIDC_AUTH_METHOD_TYPE_BASIC");
}

async function register(
  ctx: Context,
  call: OperationCall<unknown, unknown>,
  { appId, clientSecret, ...app }: Registration,
) {
  const { organizationId, projectId } = placeOf(call);
  const made = clientSecret === undefined && hasSecret(app.settings ?? {}) ? randomSecret() : undefined;
  const given = { ...app, id: appId, secret: clientSecret ?? made };
  const added = await answering(
    () => idTaken("app"),
    () =>
      changeInProject(ctx, { organizationId, projectId }, (tx) =>
        addApp(ctx, tx, { ...given, organizationId, projectId }, call.origin),
      ),
  );
  if (isApiError(added)) return added;
  const { id, clientId } = added;
  const shown = made === undefined ? {} : { clientSecret: made };
  return { appId: id, ...(await changedAnswer(ctx, "app", id)), clientId, ...shown };
}

/** One error that names all addresses that may not be registered. */
export function refuseAddresses(ctx: Context, settings: OidcSettings): ApiError | undefined {
  const problems = findWrongAddresses(settings, ctx.config).map(({ field, reason }) => {
    return { id: "app.invalid_address", message: `${field} ${reason}`, field };
  });
  const [first] = problems;
  return first && invalidArgument(first.id, first.message, { field: first.field, problems });
}

export const appRegistrationOperations = [
  operation({
    id: "AddOIDCApp",
    method: "POST",
    path: `${PATH}/oidc`,
    tag,
    summary: "Register an app that people sign in to",
    description: "Defaults of settings that are left out: a web app with the code flow and a secret sent as Basic.",
    scope: WRITE,
    body: strict({ ...registration, ...oidcSettings.shape, ...vouching.shape }),
    answer: z.object({ ...registered, ...compliance }),
    async handle(ctx, call) {
      const { name, appId, clientId, clientSecret, jwks, trusted, allowManagementApi, ...settings } = call.body;
      const wanted = { trusted, allowManagementApi };
      const vouches = await mayVouch(ctx, call.caller.userId);
      const refusal = refuseAddresses(ctx, settings) ?? (vouches ? undefined : checkVouching(UNVOUCHED, wanted));
      if (refusal) return refusal;
      const identity = { kind: "oidc", name, appId, clientId, clientSecret } as const;
      const app = { ...identity, jwks, settings, ...vouchingFields(wanted) };
      const answer = await register(ctx, call, app);
      return isApiError(answer) ? answer : { ...answer, ...complianceAnswer(settings, Boolean(jwks?.keys.length)) };
    },
  }),
  operation({
    id: "AddAPIApp",
    method: "POST",
    path: `${PATH}/api`,
    tag,
    summary: "Register an API that checks tokens",
    scope: WRITE,
    body: strict({ ...registration, ...apiSettings.shape }),
    answer: z.object(registered),
    async handle(ctx, call) {
      const { name, appId, clientId, clientSecret, jwks, ...settings } = call.body;
      const refusal = refuseAddresses(ctx, { jwksUri: settings.jwksUri, devMode: true });
      if (refusal) return refusal;
      return register(ctx, call, { kind: "api", name, appId, clientId, clientSecret, jwks, settings });
    },
  }),
];
