/**
 * Registering apps. Settings that can never work are refused; those that are probably a mistake are saved with a
 * warning.
 */

import { z } from "zod";
import { appTrust } from "../../directory/app/app-trust";
import { distinctKeys } from "../../directory/app/public-key-set";
import { registerApp } from "../../directory/app/register";
import { clientId, identifier, name, secret, strict } from "../../directory/fields";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { compliance, complianceAnswer } from "./answers";
import { appRefOf, PATH, tag, WRITE } from "./apps";
import { apiBody, appSettingsWithoutEffect, oidcBody } from "./schemas";

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

export const appRegistrationOperations = [
  operation("AddOIDCApp", `POST ${PATH}/oidc`, {
    tag,
    summary: "Create an app that users sign in to",
    description: "Defaults of settings that are left out: a web app with the code flow and a secret sent as Basic.",
    scope: WRITE,
    body: strict({ ...registration, ...oidcBody, ...appTrust.shape }),
    withoutEffect: appSettingsWithoutEffect,
    answer: z.object({ ...registered, ...compliance }),
    async handle(ctx, call) {
      const { name, appId, clientId, clientSecret, jwks, trusted, allowManagementApi, ...settings } = call.body;
      const identity = { kind: "oidc", name, appId, clientId, clientSecret, jwks } as const;
      const app = { ...identity, settings, trust: { trusted, allowManagementApi } };
      const added = await registerApp(ctx, appRefOf(call), app);
      if (isApiError(added)) return added;
      const warnings = complianceAnswer(settings, Boolean(jwks?.keys.length));
      return { ...added, ...(await changedAnswer(ctx, "app", added.appId)), ...warnings };
    },
  }),
  operation("AddAPIApp", `POST ${PATH}/api`, {
    tag,
    summary: "Register an API that checks tokens",
    scope: WRITE,
    body: strict({ ...registration, ...apiBody }),
    answer: z.object(registered),
    async handle(ctx, call) {
      const { name, appId, clientId, clientSecret, jwks, ...settings } = call.body;
      const app = { kind: "api", name, appId, clientId, clientSecret, jwks, settings } as const;
      const added = await registerApp(ctx, appRefOf(call), app);
      return isApiError(added) ? added : { ...added, ...(await changedAnswer(ctx, "app", added.appId)) };
    },
  }),
];
