/** A SAML identity provider by samlify, an implementation that is not ours, which knows us by our metadata. */
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from "samlify";
import { newCertifiedKey } from "../crypto/self-signed-certificate";

// Its validator of schemas is a program in Java.
setSchemaValidator({ validate: async () => "skipped" });

export interface SamlifyProvider {
  metadata: string;
  /** Answers a request that came by either binding. @param asked the query or the form */
  answer(asked: URLSearchParams, attributes: Record<string, string>): Promise<{ action: string; response: string }>;
}

const ENTITY_ID = "https://samlify.test/metadata";
const ATTRIBUTES = ["mail", "givenName", "sn"];
const { redirect, post } = Constants.namespace.binding;

/** @param ourMetadata what we publish for the provider */
export async function samlifyProvider(
  ourMetadata: () => Promise<string>,
  { isEncrypted, wantsSigned }: { isEncrypted: boolean; wantsSigned: boolean },
): Promise<SamlifyProvider> {
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
    singleSignOnService: [redirect, post].map((Binding) => ({ Binding, Location: "https://samlify.test/sso" })),
    loginResponseTemplate: {
      context: SamlLib.defaultLoginResponseTemplate.context.replace(
        "{AuthnStatement}",
        '<saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>' +
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
  return {
    metadata: provider.getMetadata(),
    async answer(asked, attributes) {
      const us = ServiceProvider({ metadata: await ourMetadata() });
      const isRedirect = asked.has("SigAlg") || !asked.get("SAMLRequest")?.startsWith("PHNhbWxw");
      const signed = new URLSearchParams([...asked].filter(([name]) => name !== "Signature"));
      const request = isRedirect
        ? { query: Object.fromEntries(asked), octetString: signed.toString() }
        : { body: Object.fromEntries(asked) };
      const { extract } = await provider.parseLoginRequest(us, isRedirect ? "redirect" : "post", request);
      const now = Date.now();
      const [at, until] = [now, now + 300_000].map((time) => new Date(time).toISOString());
      const acs = String(us.entityMeta.getAssertionConsumerService("post"));
      const { context } = await provider.createLoginResponse(us, { extract }, "post", {}, (template) => ({
        id: `_${now}`,
        context: SamlLib.replaceTagsByValue(template, {
          ID: `_r${now}`,
          AssertionID: `_a${now}`,
          Destination: acs,
          SubjectRecipient: acs,
          Audience: String(us.entityMeta.getEntityID()),
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
