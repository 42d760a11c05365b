/**
 * Settings of apps: replaced as a whole, and checked while they are typed, by the rules that apply when they are saved.
 */

import { z } from "zod";
import { findWrongAddresses } from "../directory/app/addresses";
import { changeApp } from "../directory/app/app";
import { type AppChange, changeInApp } from "../directory/app/change";
import { oidcClient } from "../directory/app/client";
import { apiSettings, type OidcSettings, oidcSettings, oidcSettingsShape } from "../directory/app/settings";
import { vouching, vouchingFields } from "../directory/app/vouching";
import { strict } from "../directory/fields";
import { distinctKeys } from "../directory/public-key-set";
import { failedPrecondition, isApiError } from "../protocol/api-error";
import { checkRedirectUri } from "../protocol/redirect-uri";
import { findApp } from "../storage/app-list";
import { changedAnswer } from "./answers";
import { compliance, complianceAnswer, hasKeys } from "./app-answers";
import { refuseAddresses } from "./app-registration";
import { changedApp, PATH, placeOf, tag, WRITE } from "./apps";
import { operation } from "./operation";
import { changed, details } from "./schemas";

/** Unlike the settings it is kept if it is left out, as it is a credential. */
const jwks = distinctKeys
  .nullable()
  .optional()
  .meta({ description: "If left out, the key set is kept; null removes it" });

export const wrongKind = (kind: "oidc" | "api") =>
  failedPrecondition("app.wrong_kind", kind === "oidc" ? "This app is an API." : "This app is no API.");

const problems = z.array(z.object({ field: z.string(), reason: z.string() }));

/** The settings that decide which addresses an app may have. */
const rules = {
  appType: oidcSettingsShape.appType.optional(),
  authMethodType: oidcSettingsShape.authMethodType.optional(),
  responseTypes: oidcSettingsShape.responseTypes.optional(),
  devMode: oidcSettingsShape.devMode.optional(),
};

/** The address with https and without a fragment, if that would be allowed. */
function suggestionFor(uri: string, settings: OidcSettings): string | undefined {
  const [address = ""] = uri.split("#");
  const secure = address.replace(/^http:/i, "https:");
  return secure !== uri && checkRedirectUri(secure, oidcClient(settings)) === undefined ? secure : undefined;
}

export const appConfigOperations = [
  operation({
    id: "UpdateOIDCAppConfig",
    method: "PUT",
    path: `${PATH}/:appId/oidc_config`,
    tag,
    summary: "Replace the settings of an app that people sign in to",
    description:
      "Settings that are left out get their defaults. `trusted` and `allowManagementApi` are the instance's: left out they stay, and only somebody who manages the instance can change them, or anything else of an app that has one of them.",
    scope: WRITE,
    body: strict({ ...oidcSettings.shape, ...vouching.shape, jwks }),
    answer: z.object({ details, ...compliance }),
    async handle(ctx, call) {
      const { jwks, trusted, allowManagementApi, ...settings } = call.body;
      const place = placeOf(call);
      const wanted = { trusted, allowManagementApi };
      const change: AppChange<unknown> = async (tx, stored, project) => {
        if (stored.kind !== "oidc") return wrongKind("oidc");
        const fields = { settings, jwks, ...vouchingFields(wanted) };
        const refusal = refuseAddresses(ctx, settings);
        return refusal ?? changeApp(ctx, tx, stored, project.organizationId, fields, call.origin);
      };
      const answer = await changeInApp(ctx, place, call.origin, change, wanted);
      if (isApiError(answer)) return answer;
      const row = await findApp(ctx.db, place);
      return {
        ...(await changedAnswer(ctx, "app", place.appId)),
        ...complianceAnswer(settings, row !== undefined && hasKeys(row)),
      };
    },
  }),
  operation({
    id: "UpdateAPIAppConfig",
    method: "PUT",
    path: `${PATH}/:appId/api_config`,
    tag,
    summary: "Replace the settings of an API",
    scope: WRITE,
    body: strict({ ...apiSettings.shape, jwks }),
    answer: changed,
    handle(ctx, call) {
      const { jwks, ...settings } = call.body;
      return changedApp(ctx, placeOf(call), call.origin, async (tx, stored, project) => {
        if (stored.kind !== "api") return wrongKind("api");
        const refusal = refuseAddresses(ctx, { jwksUri: settings.jwksUri, devMode: true });
        return refusal ?? changeApp(ctx, tx, stored, project.organizationId, { settings, jwks }, call.origin);
      });
    },
  }),
  operation({
    id: "CheckAppSettings",
    method: "POST",
    path: "/management/v1/apps/_check",
    tag,
    summary: "Check settings of an app: what would be refused, and warnings",
    description: "Changes nothing; for editors.",
    scope: { level: "projects", permission: "project.app.read" },
    body: strict({ ...oidcSettings.shape, ...vouching.shape }),
    answer: z.object({ problems, ...compliance }),
    async handle(ctx, { body: { trusted: _trusted, allowManagementApi: _allowed, ...body } }) {
      // A key may still be registered later, so its absence is not reported.
      return { problems: findWrongAddresses(body, ctx.config), ...complianceAnswer(body, true) };
    },
  }),
  operation({
    id: "CheckRedirectUri",
    method: "POST",
    path: "/management/v1/apps/_check_redirect_uri",
    tag,
    summary: "Check whether an app may have a redirect URI",
    description: "By the rules of the authorization endpoint. Changes nothing; for editors.",
    scope: { level: "projects", permission: "project.app.read" },
    body: strict({ uri: z.string().max(4_000, { error: "at most 4000 characters" }), ...rules }),
    answer: z.object({
      valid: z.boolean(),
      reason: z.string().optional().meta({ example: "must use https" }),
      suggestion: z.string().optional().meta({ description: "The nearest address that is allowed" }),
      warnings: compliance.complianceProblems,
    }),
    async handle(_, { body: { uri, ...settings } }) {
      const given = { ...settings, redirectUris: [uri] };
      const reason = checkRedirectUri(uri, oidcClient(given));
      if (reason === undefined) {
        const about = complianceAnswer(given, true).complianceProblems.filter(({ key }) =>
          key.includes("RedirectUris"),
        );
        return { valid: true, warnings: about };
      }
      const suggestion = suggestionFor(uri, given);
      return { valid: false, reason, ...(suggestion !== undefined && { suggestion }), warnings: [] };
    },
  }),
];
