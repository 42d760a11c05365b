/** Checking an address while it is typed, by the rules that apply when it is saved. */
import type { Reason } from "../../protocol/reason";
import { checkRedirectUri } from "../../protocol/redirect-uri";
import { oidcClient } from "./client";
import { type ComplianceProblem, complianceProblems } from "./compliance";
import type { OidcSettings } from "./settings";

export interface CheckedAddress {
  valid: boolean;
  /** Why it is refused, to be read after the address; undefined if it is valid. */
  reason?: Reason;
  /** The nearest address that is allowed; undefined if none is near. */
  suggestion?: string;
  /** What is allowed and probably unintended. */
  warnings: ComplianceProblem[];
}

/** @param settings those that decide which addresses an app may have; what is left out has its default */
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

/** The address with https and without a fragment, if that would be allowed. */
function suggestionFor(uri: string, settings: OidcSettings): string | undefined {
  const [address = ""] = uri.split("#");
  const secure = address.replace(/^http:/i, "https:");
  return secure !== uri && checkRedirectUri(secure, oidcClient(settings)) === undefined ? secure : undefined;
}
