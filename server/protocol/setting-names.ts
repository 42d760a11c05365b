/**
 * The names of settings of an app or a machine in errors: the label in the console, and the name in the API and the
 * bootstrap file, so that a search finds both. A test compares the labels with the texts of the console.
 */
import { type GrantType, type GrantTypeSetting, grantTypesBySetting } from "./grant-type";

export const settingLabels = {
  legacyAssertionAudience: "Accept the endpoint as audience",
  allowAssertionReuse: "Accept repeated assertions",
  grantTypes: "Grant types",
} as const;

export const grantTypeLabels: Readonly<Record<GrantTypeSetting, string>> = {
  OIDC_GRANT_TYPE_AUTHORIZATION_CODE: "Authorization code",
  OIDC_GRANT_TYPE_IMPLICIT: "Implicit",
  OIDC_GRANT_TYPE_REFRESH_TOKEN: "Refresh token",
  OIDC_GRANT_TYPE_CLIENT_CREDENTIALS: "Client credentials",
  OIDC_GRANT_TYPE_DEVICE_CODE: "Device code",
  OIDC_GRANT_TYPE_TOKEN_EXCHANGE: "Token exchange",
};

/** Returns, for example, `switch on allowAssertionReuse ('Accept repeated assertions')`. */
export const switchOn = (setting: "legacyAssertionAudience" | "allowAssertionReuse"): string =>
  `switch on ${setting} ('${settingLabels[setting]}')`;

/**
 * Returns, for example, `tick 'Device code' (OIDC_GRANT_TYPE_DEVICE_CODE) under 'Grant types' in the app's settings`.
 */
export function tickGrant(grantType: GrantType): string | undefined {
  const settings = Object.keys(grantTypesBySetting) as GrantTypeSetting[];
  const setting = settings.find((name) => grantTypesBySetting[name] === grantType);
  if (setting === undefined) return undefined;
  return `tick '${grantTypeLabels[setting]}' (${setting}) under '${settingLabels.grantTypes}' in the app's settings`;
}
