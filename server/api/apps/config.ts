/**
 * Settings of apps: replaced as a whole, and checked while they are typed, by the rules that apply when they are saved.
 */

import { z } from "zod";
import { findWrongAddresses } from "../../directory/app/addresses";
import { appTrust } from "../../directory/app/app-trust";
import { checkAddress } from "../../directory/app/check-redirect-uri";
import { configureApiApp, configureOidcApp } from "../../directory/app/configure";
import { distinctKeys } from "../../directory/app/public-key-set";
import { oidcSettingsShape } from "../../directory/app/settings";
import { name, strict } from "../../directory/fields";
import { reasonText } from "../../http/refusal-texts";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { changedAnswer } from "../operation/answers";
import { operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { compliance, complianceAnswer } from "./answers";
import { appRefOf, changedApp, PATH, tag, WRITE } from "./apps";
import { apiBody, appSettingsWithoutEffect, oidcBody } from "./schemas";

/** A credential, so it is kept if the request omits it, unlike the settings. */
const jwks = distinctKeys
  .nullable()
  .optional()
  .meta({ description: "If left out, the key set is kept; null removes it" });

const renamed = name.optional().meta({ description: "If left out, the name is kept" });

const problems = z.array(z.object({ field: z.string(), reason: z.string() }));

/** The settings that decide which addresses an app may have. */
const rules = {
  appType: oidcSettingsShape.appType.optional(),
  authMethodType: oidcSettingsShape.authMethodType.optional(),
  responseTypes: oidcSettingsShape.responseTypes.optional(),
  devMode: oidcSettingsShape.devMode.optional(),
};

export const appConfigOperations = [
  operation("UpdateOIDCAppConfig", `PUT ${PATH}/:appId/oidc_config`, {
    tag,
    summary: "Replace the settings of an app that users sign in to",
    description:
      "Settings that are left out get their defaults. `trusted` and `allowManagementApi` belong to the instance: if left out, they are kept. Only administrators of the instance can change them, or change an app that has one of them set.",
    scope: WRITE,
    body: strict({ name: renamed, ...oidcBody, ...appTrust.shape, jwks }),
    withoutEffect: appSettingsWithoutEffect,
    answer: z.object({ details, ...compliance }),
    async handle(ctx, call) {
      const { name, jwks, trusted, allowManagementApi, ...settings } = call.body;
      const wanted = { name, settings, jwks, trust: { trusted, allowManagementApi } };
      const configured = await configureOidcApp(ctx, appRefOf(call), wanted);
      if (isApiError(configured)) return configured;
      const warnings = complianceAnswer(settings, configured.hasKeys);
      return { ...(await changedAnswer(ctx, "app", appRefOf(call).appId)), ...warnings };
    },
  }),
  operation("UpdateAPIAppConfig", `PUT ${PATH}/:appId/api_config`, {
    tag,
    summary: "Replace the settings of an API",
    scope: WRITE,
    body: strict({ name: renamed, ...apiBody, jwks }),
    handle(ctx, call) {
      const { name, jwks, ...settings } = call.body;
      const wanted = { name, settings, jwks };
      return changedApp(ctx, appRefOf(call), configureApiApp(ctx, appRefOf(call), wanted));
    },
  }),
  operation("CheckAppSettings", "POST /management/v1/apps/_check", {
    tag,
    summary: "Check the settings of an app for errors and warnings",
    description: "Changes nothing; for editors.",
    scope: { level: "projects", permission: "project.app.read" },
    body: strict({ ...oidcBody, ...appTrust.shape }),
    withoutEffect: appSettingsWithoutEffect,
    answer: z.object({ problems, ...compliance }),
    async handle(ctx, { language, body: { trusted: _trusted, allowManagementApi: _allowed, ...body } }) {
      // A key may still be registered later, so its absence is not reported.
      const wrong = findWrongAddresses(body, ctx.config);
      const problems = wrong.map(({ field, reason }) => ({ field, reason: reasonText(language, reason) }));
      return { problems, ...complianceAnswer(body, true) };
    },
  }),
  operation("CheckRedirectUri", "POST /management/v1/apps/_check_redirect_uri", {
    tag,
    summary: "Check whether an app may have a redirect URI",
    description: "Applies the rules of the authorization endpoint. Changes nothing; for editors.",
    scope: { level: "projects", permission: "project.app.read" },
    body: strict({ uri: z.string().max(4_000, { error: issue("too_long", { n: 4_000 }) }), ...rules }),
    answer: z.object({
      valid: z.boolean(),
      reason: z.string().optional().meta({ example: "must use https" }),
      suggestion: z.string().optional().meta({ description: "The nearest address that is allowed" }),
      warnings: compliance.complianceProblems,
    }),
    async handle(_, { language, body: { uri, ...settings } }) {
      const { reason, ...checked } = checkAddress(uri, settings);
      return { ...checked, ...(reason && { reason: reasonText(language, reason) }) };
    },
  }),
];
