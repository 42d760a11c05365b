/**
 * The attributes of an assertion as claims: those of X.500 and LDAP (SAML 2.0 Profiles §8.2), those of Microsoft, and
 * the plain names that administrators usually give them. Names are compared regardless of case.
 */
import type { IdentityProviderSettings } from "../../protocol/identity-provider";
import type { SamlAssertion } from "../../protocol/saml/response";
import { isTransient } from "../../protocol/saml/service-provider";
import type { Claims } from "./identity";

const MICROSOFT = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";
const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/** The attributes from which a claim is taken, the first that there is. */
const SOURCES = {
  email: ["urn:oid:0.9.2342.19200300.100.1.3", `${MICROSOFT}/emailaddress`, "email", "mail", "emailAddress"],
  preferred_username: [
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.6", // eduPersonPrincipalName
    `${MICROSOFT}/name`,
    `${MICROSOFT}/upn`,
    "urn:oid:0.9.2342.19200300.100.1.1",
    "username",
    "uid",
  ],
  given_name: ["urn:oid:2.5.4.42", `${MICROSOFT}/givenname`, "givenName", "firstName", "given_name", "first_name"],
  family_name: ["urn:oid:2.5.4.4", `${MICROSOFT}/surname`, "sn", "surname", "lastName", "family_name", "last_name"],
  name: [
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "displayName",
    "urn:oid:2.5.4.3",
    "cn",
    "name",
  ],
  locale: ["urn:oid:2.16.840.1.113730.3.1.39", "preferredLanguage", "locale"],
} as const;

/** Where several factors are reported: an attribute of Microsoft, and classes of contexts (REFEDS MFA, Core §3.4). */
const METHODS = "http://schemas.microsoft.com/claims/authnmethodsreferences";
const SEVERAL_FACTORS = [
  "http://schemas.microsoft.com/claims/multipleauthn",
  "https://refeds.org/profile/mfa",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered",
];

/** Returns the claims of an assertion, beside its attributes by their own names. */
export function samlClaims(
  { transientMappingAttributeName }: IdentityProviderSettings,
  assertion: SamlAssertion,
): Claims {
  const { nameId, nameIdFormat, attributes, contexts } = assertion;
  const byName = new Map(Object.entries(attributes).map(([name, values]) => [name.toLowerCase(), values]));
  const firstOf = (name: string) => byName.get(name.toLowerCase())?.[0];
  const found = Object.entries(SOURCES).map(([claim, names]) => [claim, names.map(firstOf).find(Boolean)] as const);
  const { email, ...claims } = Object.fromEntries(found);
  const named = transientMappingAttributeName === undefined ? undefined : firstOf(transientMappingAttributeName);
  const isSeveral = [...contexts, ...(byName.get(METHODS) ?? [])].some((one) => SEVERAL_FACTORS.includes(one));
  return {
    ...Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, one(values)])),
    ...claims,
    sub: isTransient(nameIdFormat) ? named : nameId,
    email: email ?? (nameIdFormat === EMAIL_FORMAT ? nameId : undefined),
    amr: isSeveral ? ["mfa"] : [],
  };
}

const one = (values: readonly string[]) => (values.length === 1 ? values[0] : values);
