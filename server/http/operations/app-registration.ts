/**
 * Registering apps. Settings that can never work are refused; those that are probably a mistake are saved with a
 * warning.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { findWrongAddresses } from "../../directory/app/addresses";
import { addApp, type NewApp } from "../../directory/app/app";
import { changeInProject } from "../../directory/app/change-project";
import { RESERVED_NAMES } from "../../directory/app/console-client";
import { apiSettings, type OidcSettings, oidcSettings } from "../../directory/app/settings";
import { clientId, identifier, name, secret, strict } from "../../directory/fields";
import { comparableLoginName } from "../../directory/names";
import { distinctKeys } from "../../directory/public-key-set";
import { type ApiError, alreadyExists, invalidArgument, isApiError } from "../../protocol/api-error";
import { readApp, readAppByClientId } from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { isUniqueViolation } from "../../storage/engine/violations";
import { readMachineByName } from "../../storage/users";
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

type Registration = Pick<NewApp, "kind" | "name" | "clientId" | "settings" | "jwks"> & {
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
  try {
    const added = await changeInProject(ctx, { organizationId, projectId }, async (tx) => {
      const taken = await findTaken(tx, { appId, clientId: app.clientId });
      return taken ?? addApp(ctx, tx, { ...given, organizationId, projectId }, call.origin);
    });
    if (isApiError(added)) return added;
    const { id, clientId } = added;
    const shown = made === undefined ? {} : { clientSecret: made };
    return { appId: id, ...(await changedAnswer(ctx, "app", id)), clientId, ...shown };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return alreadyExists("app.id_taken", "Somebody else has just taken this id.");
  }
}

async function findTaken(
  tx: Transaction,
  { appId, clientId }: Pick<Registration, "appId" | "clientId">,
): Promise<ApiError | undefined> {
  if (appId !== undefined && (await readApp(tx, appId))) {
    return alreadyExists("app.id_taken", "There is an app of this id already.", { field: "appId" });
  }
  if (clientId === undefined) return undefined;
  const reason = RESERVED_NAMES.get(clientId);
  if (reason !== undefined)
    return invalidArgument("app.reserved_client_id", `${clientId} ${reason}.`, { field: "clientId" });
  const holder =
    (await readAppByClientId(tx, clientId)) ?? (await readMachineByName(tx, comparableLoginName(clientId)));
  if (holder === undefined) return undefined;
  return alreadyExists("app.client_id_taken", "Another app or machine has this client id.", { field: "clientId" });
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
    body: strict({ ...registration, ...oidcSettings.shape }),
    answer: z.object({ ...registered, ...compliance }),
    async handle(ctx, call) {
      const { name, appId, clientId, clientSecret, jwks, ...settings } = call.body;
      const refusal = refuseAddresses(ctx, settings);
      if (refusal) return refusal;
      const app = { kind: "oidc", name, appId, clientId, clientSecret, jwks, settings } as const;
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
    handle(ctx, call) {
      const { name, appId, clientId, clientSecret, jwks, ...settings } = call.body;
      return register(ctx, call, { kind: "api", name, appId, clientId, clientSecret, jwks, settings });
    },
  }),
];
