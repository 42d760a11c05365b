/** Checks an address while it is typed, with the rules that apply when it is saved. */
import type { Reason } from "../../protocol/reason";
import { checkRedirectUri } from "../../protocol/redirect-uri";
import { oidcClient } from "./client";
import { type ComplianceProblem, complianceProblems } from "./compliance";
import type { OidcSettings } from "./settings";

export interface CheckedAddress {
  valid: boolean;
  /** Why the address is rejected, completing a sentence that begins with it; undefined if it is valid. */
  reason?: Reason;
  /** A similar address that is allowed, or undefined. */
  suggestion?: string;
  /** Allowed, but probably unintended. */
  warnings: ComplianceProblem[];
}

/**
 * Checks one redirect URI.
 * @param settings the settings that decide which addresses an app may have; an omitted one has its default
 */
export function checkAddress(uri: string, settings: OidcSettings): CheckedAddress {
  const given = { ...settings, redirectUris: [uri] };
  const reason = checkRedirectUri(uri, oidcClient(given));
  if (reason === undefined) {
    // A key may still be registered later, so its absence is not reported.
    const warnings = complianceProblems(given, true).filter(({ key }) => key.includes("RedirectUris"));
    return { valid: true, warnings };
  }
  const suggestion = suggestionFor(uri, given);
  return { valid: false, reason, ...(suggestion !== undefined && { suggestion }), warnings: [] };
}

/** Returns the address with https and without a fragment, if that is allowed. */
function suggestionFor(uri: string, settings: OidcSettings): string | undefined {
  const [address = ""] = uri.split("#");
  const secure = address.replace(/^http:/i, "https:");
  return secure !== uri && checkRedirectUri(secure, oidcClient(settings)) === undefined ? secure : undefined;
}
