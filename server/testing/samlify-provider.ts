/** A SAML identity provider by samlify, an implementation that is not ours, which knows us by our metadata. */
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from "samlify";
import { newCertifiedKey } from "../crypto/self-signed-certificate";

// Its validator of schemas is a program in Java.
setSchemaValidator({ validate: async () => "skipped" });

export interface SamlifyProvider {
  metadata: string;
  /** Answers a request that came by either binding. @param asked the query or the form */
  answer(asked: URLSearchParams, attributes: Record<string, string>): Promise<{ action: string; response: string }>;
  /** Verifies a request to sign out, and returns what it names and the address or form of the response. */
  endSession(asked: URLSearchParams): Promise<{ nameId: string; sessionIndex: string; response: SentBySamlify }>;
  /** Requests a sign-out here. */
  requestLogout(by: "redirect" | "post", user: { logoutNameID: string; sessionIndex: string }): Promise<SentBySamlify>;
  /** Verifies the response to a request of its own. @returns the ID of the request that it answers */
  readLogoutResponse(answered: URLSearchParams): Promise<string>;
}

/** What it sends by a browser: the address with the query, or the form. */
export interface SentBySamlify {
  address: URL;
  form?: URLSearchParams;
}

/** The session that it names in its assertions. */
export const SAMLIFY_SESSION = "_samlify-session";
const ENTITY_ID = "https://samlify.test/metadata";
const ATTRIBUTES = ["mail", "givenName", "sn"];
const { redirect, post } = Constants.namespace.binding;

/** @param ourMetadata what we publish for the provider */
export async function samlifyProvider(
  ourMetadata: () => Promise<string>,
  options: { isEncrypted: boolean; wantsSigned: boolean; logoutBy?: readonly ("redirect" | "post")[] },
): Promise<SamlifyProvider> {
  const { isEncrypted, wantsSigned, logoutBy } = options;
  const { privateKey, certificate } = await newCertifiedKey("samlify.test", Date.now(), 1);
  const provider = IdentityProvider({
    entityID: ENTITY_ID,
    privateKey,
    signingCert: certificate,
    isAssertionEncrypted: isEncrypted,
    messageSigningOrder: "sign-then-encrypt",
    wantAuthnRequestsSigned: wantsSigned,
    requestSignatureAlgorithm: Constants.algorithms.signature.RSA_SHA256,
    nameIDFormat: [Constants.namespace.format.persistent],
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    singleLogoutService: logoutBy?.map((by) => ({
      Binding: { redirect, post }[by],
      Location: "https://samlify.test/slo",
    })),
    singleSignOnService: [redirect, post].map((Binding) => ({ Binding, Location: "https://samlify.test/sso" })),
    loginResponseTemplate: {
      context: SamlLib.defaultLoginResponseTemplate.context.replace(
        "{AuthnStatement}",
        `<saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="${SAMLIFY_SESSION}">` +
          "<saml:AuthnContext><saml:AuthnContextClassRef>" +
          "urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>",
      ),
      attributes: ATTRIBUTES.map((name) => ({
        name,
        valueTag: name,
        nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
        valueXsiType: "xs:string",
      })),
    },
  });
  const us = async () =>
    ServiceProvider({
      metadata: await ourMetadata(),
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
    });
  return {
    metadata: provider.getMetadata(),
    async endSession(asked) {
      const { by, request } = received(asked);
      const info = await provider.parseLogoutRequest(await us(), by, request);
      const relayState = asked.get("RelayState") ?? "";
      const response = sent(provider.createLogoutResponse(await us(), { ...info }, by, { relayState }), relayState);
      return { nameId: String(info.extract.nameID), sessionIndex: String(info.extract.sessionIndex), response };
    },
    async requestLogout(by, user) {
      return sent(provider.createLogoutRequest(await us(), by, user, { relayState: "theirs" }), "theirs");
    },
    async readLogoutResponse(answered) {
      const { by, request } = received(answered);
      const { extract } = await provider.parseLogoutResponse(await us(), by, request);
      return String(extract.response?.inResponseTo);
    },
    async answer(asked, attributes) {
      const service = await us();
      const { by, request } = received(asked);
      const { extract } = await provider.parseLoginRequest(service, by, request);
      const now = Date.now();
      const [at, until] = [now, now + 300_000].map((time) => new Date(time).toISOString());
      const acs = String(service.entityMeta.getAssertionConsumerService("post"));
      const { context } = await provider.createLoginResponse(service, { extract }, "post", {}, (template) => ({
        id: `_${now}`,
        context: SamlLib.replaceTagsByValue(template, {
          ID: `_r${now}`,
          AssertionID: `_a${now}`,
          Destination: acs,
          SubjectRecipient: acs,
          Audience: String(service.entityMeta.getEntityID()),
          Issuer: ENTITY_ID,
          IssueInstant: at,
          StatusCode: Constants.StatusCode.Success,
          ConditionsNotBefore: at,
          ConditionsNotOnOrAfter: until,
          SubjectConfirmationDataNotOnOrAfter: until,
          NameIDFormat: Constants.namespace.format.persistent,
          NameID: attributes.mail,
          InResponseTo: String(extract.request?.id),
          ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [attributeTag(name), value])),
        }),
      }));
      return { action: acs, response: context };
    },
  };
}

/** The tag of an attribute in samlify's templates. */
const attributeTag = (name: string): string => `attr${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function received(asked: URLSearchParams) {
  const message = asked.get("SAMLRequest") ?? asked.get("SAMLResponse");
  const by = asked.has("SigAlg") || !message?.startsWith("PHNhbWxw") ? ("redirect" as const) : ("post" as const);
  const signed = new URLSearchParams([...asked].filter(([name]) => name !== "Signature"));
  const request =
    by === "redirect"
      ? { query: Object.fromEntries(asked), octetString: signed.toString() }
      : { body: Object.fromEntries(asked) };
  return { by, request };
}

function sent(
  message: { context: string; entityEndpoint?: unknown; type?: unknown },
  relayState: string,
): SentBySamlify {
  if (message.entityEndpoint === undefined) return { address: new URL(message.context) };
  const form = new URLSearchParams({ [String(message.type)]: message.context, RelayState: relayState });
  return { address: new URL(String(message.entityEndpoint)), form };
}
