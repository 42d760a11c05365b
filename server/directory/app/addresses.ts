/**
 * Finds addresses that an app may not register (RFC 9700 §2.1), with the rules that apply when the addresses are used.
 */
import type { Config } from "../../config/config";
import { isLoopback } from "../../config/value-parsers";
import type { Context } from "../../context";
import { type ApiError, fieldProblem, invalidArgument } from "../../protocol/api-error";
import { checkBackChannelUri, fetchedAddress } from "../../protocol/public-address";
import { type Reason, reason } from "../../protocol/reason";
import { checkRedirectUri, matchFrontChannelUri } from "../../protocol/redirect-uri";
import { oidcClient } from "./client";
import type { OidcSettings } from "./settings";

export interface RejectedAddress {
  /** The path of the field, for example `redirectUris[0]`. */
  field: string;
  /** Completes a sentence that begins with the address: `must use https`. */
  reason: Reason;
}

/**
 * Returns the addresses in the settings that this kind of app may not register.
 * @param service where the service itself is reached; undefined if only a file is checked
 */
export function findWrongAddresses(settings: OidcSettings, service?: Pick<Config, "baseUrl">): RejectedAddress[] {
  const rules = oidcClient(settings);
  const { devMode } = rules;
  const onLoopback = service === undefined || isLoopback(service.baseUrl);
  const wrong = (["backChannelLogoutUri", "jwksUri", "sectorIdentifierUri"] as const).flatMap((field) => {
    const called = settings[field];
    const wrongly = called === undefined ? undefined : checkBackChannelUri(called, { devMode, onLoopback });
    return wrongly === undefined ? [] : [{ field: field as string, reason: wrongly }];
  });
  for (const [index, uri] of rules.requestUris.entries()) {
    const wrongly = checkBackChannelUri(fetchedAddress(uri), { devMode, onLoopback });
    if (wrongly !== undefined) wrong.push({ field: `requestUris[${index}]`, reason: wrongly });
  }
  if (rules.sector === "" && settings.sectorIdentifierUri === undefined) {
    wrong.push({ field: "sectorIdentifierUri", reason: reason("one_sector") });
  }
  const { loginBaseUri } = rules;
  if (loginBaseUri !== undefined && !devMode && new URL(loginBaseUri).protocol !== "https:") {
    wrong.push({ field: "loginVersion.loginV2.baseUri", reason: reason("https_or_dev") });
  }
  const { initiateLoginUri } = rules;
  if (initiateLoginUri !== undefined && !devMode && new URL(initiateLoginUri).protocol !== "https:") {
    wrong.push({ field: "initiateLoginUri", reason: reason("https_or_dev") });
  }
  for (const [index, { issuer }] of rules.connectedServers.entries()) {
    const first = rules.connectedServers.findIndex((one) => one.issuer === issuer);
    const place = `connectedAuthorizationServers[${first}]`;
    const wrongly = first < index ? reason("same_as", { place }) : whyNoIssuer(issuer, rules, service);
    if (wrongly !== undefined) wrong.push({ field: `connectedAuthorizationServers[${index}].issuer`, reason: wrongly });
  }
  const { frontChannelLogoutUri } = rules;
  if (frontChannelLogoutUri !== undefined && !matchFrontChannelUri(rules, frontChannelLogoutUri)) {
    wrong.push({ field: "frontChannelLogoutUri", reason: reason("redirect_origin") });
  }
  return wrong.concat(
    (["redirectUris", "postLogoutRedirectUris"] as const).flatMap((list) =>
      (settings[list] ?? []).flatMap((uri, index) => {
        const wrongly = checkRedirectUri(uri, rules);
        return wrongly === undefined ? [] : [{ field: `${list}[${index}]`, reason: wrongly }];
      }),
    ),
  );
}

/** Returns why an app cannot be connected to an issuer (RFC 8414 §2); undefined if it can. */
function whyNoIssuer(
  issuer: string,
  { devMode }: { devMode: boolean },
  service?: Pick<Config, "baseUrl">,
): Reason | undefined {
  const { protocol, search, hash } = new URL(issuer);
  if (protocol !== "https:" && !devMode) return reason("https_or_dev");
  if (hash !== "") return reason("fragment");
  if (search !== "") return reason("no_parameters");
  // A service must not accept its own assertions: they would widen what a user granted.
  return issuer.replace(/\/$/, "") === service?.baseUrl ? reason("resource_own") : undefined;
}

/** Returns one error that lists all addresses that may not be registered. */
export function refuseAddresses(ctx: Context, settings: OidcSettings): ApiError | undefined {
  const problems = findWrongAddresses(settings, ctx.config).map(({ field, reason }) =>
    fieldProblem("app.invalid_address", field, reason),
  );
  const [first] = problems;
  return first && invalidArgument(first.id, first.message, { field: first.field, reason: first.reason, problems });
}
