/** Identity providers of the service and of an organization, and the login policies that offer them. */
import type { Memory, Step } from "./step";

const CLIENT = { clientId: "identity-service", clientSecret: "s3cret-of-the-client" };
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
const AT = "https://login.partner.test";
const OAUTH = {
  authorizationEndpoint: `${AT}/authorize`,
  tokenEndpoint: `${AT}/token`,
  userEndpoint: `${AT}/user`,
};
const KEY = [
  "-----BEGIN PRIVATE KEY-----",
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg854h2wCpAsrIlA3f",
  "vwzUB2XlVp8InFlviPcqUl/qlYOhRANCAAQxgjPNf3oGXKQFKpYYHnbz6p4stfVS",
  "fsdmZ1N2FOzHGh+9nta1lpt2TpvcbexjT0OhFhixafUYKuoRBKHJdoqW",
  "-----END PRIVATE KEY-----",
].join("\n");
/** Valid until 2126. */
const CERTIFICATE = [
  "MIIDCjCCAfKgAwIBAgIBATANBgkqhkiG9w0BAQsFADAdMRswGQYDVQQDDBJsb2dpbi5wYXJ0bmVyLnRlc3QwIBcNMjYxMTI5MTEyNjE3WhgPMj",
  "EyNjExMDUxMTI2MTdaMB0xGzAZBgNVBAMMEmxvZ2luLnBhcnRuZXIudGVzdDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAJST1ebD",
  "fl7dszzpET/KXjYPKHrH6zR01+LN3JcKxlle/c2pNgXrXZyvyZICkulQneIQmUXuXfa5BNqEr5K30kjQ/8wP1UGjzIGz9Tnj2LAxLNvdaz+O2k",
  "Mi4RLTNcRiAnIjFHzGYnJajQWFEwqCLbm3OOs6GNbYvyT4E7dD1GVQuUX5ZMAbyAViAP7XwHtJB/26XMP1jQeoQgNdsCxQsiYfqGgAGeYygoBQ",
  "ZTqxi4FKBq24PcE4iXJXRORp8B+FdB8LRenNLkONhmVaUOzlzDeBofnQ5W1hX6FwadqaKod9ZPtxSoIEkvGnBHAj5vuTYgnnTI4pey1Jiw8LMs",
  "FzpTMCAwEAAaNTMFEwHQYDVR0OBBYEFJNP+tDkRuFN1wv+4/fnwnoDcM7cMB8GA1UdIwQYMBaAFJNP+tDkRuFN1wv+4/fnwnoDcM7cMA8GA1Ud",
  "EwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBADA29kiGRwL5EUSlewJHRWxmHB7IFiCvh3sVGQaqLdG7A+EUK4/M7Alq8MsEGFA0sBmutB",
  "8pJdPNevQw4nb6Y5HtDCMo7o+YM8EU0CPqUFOI0Gis+1T++nqxhpPGaPd33idH3F4ZnBYiLKYxtzBFm4+ft4LmL4WdjT7GeQU5XeBLt5X8gbEt",
  "BYznCnPfuTbblQ0N9rn82ksmKwM+osmFdfCmVgYaxlW+201nVu3i7tBxFsUFew3vQHk3/7kty/F16WPk5hX0cTgIlttrScFdwRzf+07FisJyh8",
  "yf7pa/3fHAjzHLC5hTf8E67PLd3DPk3283rh0UNO05+CORpmzQIKk=",
].join("");
const METADATA =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://login.partner.test/saml">' +
  '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">' +
  `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${CERTIFICATE}</X509Certificate>` +
  '</X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Location="https://login.partner.test/saml/sso" ' +
  'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"/></IDPSSODescriptor></EntityDescriptor>';
const SAML = { metadataXml: METADATA, nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT", withSignedRequest: true };
const AZURE = { tenant: { tenantId: "7f0d53a4-6d1c-4ef4-9c1c-3f6b8bd0a111" }, emailVerified: true };
const APPLE = { clientId: "test.acme.sign-in", teamId: "TEAM123456", keyId: "KEY1234567", privateKey: KEY };

const LDAP = {
  name: "Directory of ACME",
  servers: ["ldaps://ldap.partner.test"],
  baseDn: "ou=people,dc=partner,dc=test",
  bindDn: "cn=reader,dc=partner,dc=test",
  bindPassword: "s3cret-of-the-reader",
  userObjectClasses: ["inetOrgPerson"],
  userFilters: ["uid", "mail"],
  attributes: { idAttribute: "entryUUID", emailAttribute: "mail", firstNameAttribute: "givenName" },
};

const keep = ({ id }: { id: string }, memory: Memory) => Object.assign(memory, { idpId: id });
const parameters = ({ idpId = "" }: Memory) => ({ id: idpId });

const bob = { userId: "u-bob" };
const account = { idpId: "", userId: "248289761001", userName: "bob at the partner" };
const linked =
  (more: object) =>
  ({ idpId = "" }: Memory) => ({ ...more, idpId, linkedUserId: account.userId });
const add: Step = {
  operation: "AddIDPLink",
  parameters: bob,
  body: ({ idpId }: Memory) => ({ idpLink: { ...account, idpId } }),
};
const mapping = { roles: [{ claim: "groups", value: "staff", projectId: "p1", roleKeys: ["admin"] }] };
const mappingSteps = (level: "" | "Instance"): Step[] => [
  { operation: `Set${level}ProviderMapping`, parameters, body: mapping, refused: "user_grant.unknown_role" },
  { operation: `Set${level}ProviderMapping`, parameters, body: { profile: { givenName: "first_name" } } },
  { operation: `Test${level}ProviderMapping`, parameters, body: { claims: { sub: "1", groups: ["guests"] }, mapping } },
];
const linkSteps: Step[] = [
  {
    ...add,
    body: { idpLink: { ...account, idpId: "another" } },
    refused: "identity_provider.not_found",
  },
  add,
  { operation: "GetIDPLinks", parameters: bob },
  { operation: "ListIDPLinks", parameters: bob },
  { operation: "ListHumanLinkedIDPs", parameters: bob },
  { operation: "RemoveIDPLink", parameters: linked(bob) },
  add,
  { operation: "RemoveHumanLinkedIDP", parameters: linked(bob) },
  { operation: "RemoveMyLinkedIDP", as: "colleague", parameters: linked({}), refused: "identity_link.not_found" },
];

const levelSteps = (level: "" | "Instance", own: "" | "Own"): Step[] => [
  { operation: `Add${level}GoogleProvider`, body: { ...CLIENT, providerOptions: OPTIONS }, keep },
  { operation: `Update${level}GoogleProvider`, parameters, body: { ...CLIENT, name: "Google Workspace" } },
  { operation: `Add${level}AzureADProvider`, body: { ...CLIENT, ...AZURE }, keep },
  { operation: `Update${level}AzureADProvider`, parameters, body: { ...CLIENT, ...AZURE, emailVerified: false } },
  { operation: `Add${level}AppleProvider`, body: APPLE, keep },
  { operation: `Update${level}AppleProvider`, parameters, body: { ...APPLE, privateKey: "" } },
  { operation: `Add${level}GitHubProvider`, body: CLIENT, keep },
  { operation: `Update${level}GitHubProvider`, parameters, body: { ...CLIENT, name: "GitHub of ACME" } },
  { operation: `Add${level}GitHubEnterpriseServerProvider`, body: { ...CLIENT, ...OAUTH }, keep },
  { operation: `Update${level}GitHubEnterpriseServerProvider`, parameters, body: { ...CLIENT, ...OAUTH } },
  { operation: `Add${level}GitLabProvider`, body: CLIENT, keep },
  { operation: `Update${level}GitLabProvider`, parameters, body: { ...CLIENT, scopes: ["openid", "email"] } },
  { operation: `Add${level}GitLabSelfHostedProvider`, body: { ...CLIENT, issuer: AT }, keep },
  { operation: `Update${level}GitLabSelfHostedProvider`, parameters, body: { ...CLIENT, issuer: AT } },
  { operation: `Add${level}SAMLProvider`, body: { ...SAML, name: "Partner by SAML" }, keep },
  { operation: `Update${level}SAMLProvider`, parameters, body: { ...SAML, name: "Partner", emailVerified: true } },
  { operation: `Regenerate${level}SAMLProviderCertificate`, parameters, body: { immediately: true } },
  { operation: `Add${level}LDAPProvider`, body: LDAP, keep },
  { operation: `Update${level}LDAPProvider`, parameters, body: { ...LDAP, bindPassword: "", timeout: "10s" } },
  { operation: `Test${level}LDAPProvider`, body: LDAP, refused: "identity_provider.test_failed" },
  { operation: `Add${level}GenericOAuthProvider`, body: { ...CLIENT, ...OAUTH, idAttribute: "id" }, keep },
  { operation: `Update${level}GenericOAuthProvider`, parameters, body: { ...CLIENT, ...OAUTH, idAttribute: "uid" } },
  { operation: `Add${level}GenericOIDCProvider`, body: { ...CLIENT, name: "Partner", issuer: AT }, keep },
  { operation: `Update${level}GenericOIDCProvider`, parameters, body: { ...CLIENT, name: "Partner", issuer: AT } },
  {
    operation: `Update${level}Provider`,
    parameters,
    body: { ...CLIENT, name: "Partner", issuer: AT, providerOptions: { autoLinking: "AUTO_LINKING_OPTION_EMAIL" } },
  },
  { operation: `List${level}Providers`, body: { queries: [{ idpNameQuery: { name: "Partner" } }] } },
  { operation: `Get${level}ProviderByID`, parameters },
  { operation: `Add${own}IDPToLoginPolicy`, body: ({ idpId }: Memory) => ({ idpId }) },
  { operation: `List${own}LoginPolicyIDPs` },
  ...(own ? [{ operation: "GetActiveIdentityProviders" }, { operation: "GetIDPByID", parameters }] : []),
  ...mappingSteps(level),
  ...(own ? linkSteps : []),
  { operation: `Test${level}Provider`, parameters },
  { operation: `Deactivate${level}Provider`, parameters },
  { operation: `Activate${level}Provider`, parameters },
  { operation: `Remove${own}IDPFromLoginPolicy`, parameters: ({ idpId = "" }: Memory) => ({ idpId }) },
  { operation: `Delete${level}Provider`, parameters },
];

export const identityProviderSteps: Step[] = [...levelSteps("Instance", ""), ...levelSteps("", "Own")];
