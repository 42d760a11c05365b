/** A SAML provider: added in the console, and used for a sign-in and a sign-out by a browser that visits its site. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { findings } from "../axe";
import { newCertificate } from "../certificate";
import { ada, clients } from "../directory";
import { expect, openConsole, test } from "./fixtures";
import { ACME } from "./pages";

const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";

/**
 * Starts a provider at 127.0.0.1, which is another site than that of the service, localhost. Like those of large
 * companies, it redirects requests to another origin of its own.
 */
async function startProvider() {
  const { privateKey, certificate } = newCertificate("partner.test");
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, search, searchParams: form } = new URL(request.url ?? "/", origin);
    if (pathname === "/sso") {
      response.writeHead(302, { location: `${origin.replace("127.0.0.1", "localhost")}/sign-in${search}` });
      return response.end();
    }
    if (pathname === "/slo") {
      const page = "<!doctype html><html lang=en><title>Signed out at the partner</title>";
      return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    }
    const asked = inflateRawSync(Buffer.from(form.get("SAMLRequest") ?? "", "base64")).toString();
    requests.push(asked);
    const value = (pattern: RegExp) => pattern.exec(asked)?.[1] ?? "";
    const acs = value(/AssertionConsumerServiceURL="([^"]+)"/);
    const answer = responseTo({ id: value(/ ID="([^"]+)"/), acs, issuer: value(/Issuer>([^<]+)/), origin });
    const signed = signAssertion(answer, privateKey);
    const fields = { SAMLResponse: Buffer.from(signed).toString("base64"), RelayState: form.get("RelayState") ?? "" };
    const inputs = Object.entries(fields).map(([name, text]) => `<input type=hidden name=${name} value="${text}">`);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang=en><title>Partner</title><form method=post action="${acs}">${inputs.join("")}<button>Sign in</button></form>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata =
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${origin}"><IDPSSODescriptor` +
    ' protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">' +
    '<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>' +
    `${certificate.replace(/-----[A-Z ]+-----|\s/g, "")}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>` +
    `<SingleLogoutService Binding="${REDIRECT}" Location="${origin}/slo"/>` +
    `<SingleSignOnService Binding="${REDIRECT}" Location="${origin}/sso"/></IDPSSODescriptor></EntityDescriptor>`;
  return { metadata, requests, close: () => new Promise((resolve) => server.close(resolve)) };
}

function responseTo({ id, acs, issuer, origin }: Record<"id" | "acs" | "issuer" | "origin", string>): string {
  const [now, end] = [0, 300_000].map((time) => new Date(Date.now() + time).toISOString());
  const attributes = Object.entries({ mail: "sam@partner.test", givenName: "Sam", sn: "Lee" }).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  );
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="${ASSERTION}" ID="_r" Version="2.0"` +
    ` IssueInstant="${now}" Destination="${acs}" InResponseTo="${id}"><saml:Issuer>${origin}</saml:Issuer><samlp:Status>` +
    '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>' +
    `<saml:Assertion ID="_a${id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${origin}</saml:Issuer><saml:Subject>` +
    '<saml:NameID>sam</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">' +
    `<saml:SubjectConfirmationData InResponseTo="${id}" Recipient="${acs}" NotOnOrAfter="${end}"/>` +
    `</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotOnOrAfter="${end}"><saml:AudienceRestriction>` +
    `<saml:Audience>${issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${now}"/><saml:AttributeStatement>${attributes.join("")}` +
    "</saml:AttributeStatement></saml:Assertion></samlp:Response>"
  );
}

function signAssertion(xml: string, privateKey: string): string {
  const signature = new SignedXml({
    privateKey,
    signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signature.addReference({
    xpath: "//*[local-name()='Assertion']",
    transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", EXCLUSIVE],
    digestAlgorithm: "http://www.w3.org/2001/04/xmlenc#sha256",
  });
  signature.computeSignature(xml, {
    location: { reference: "//*[local-name()='Assertion']/*[local-name()='Issuer']", action: "after" },
  });
  return signature.getSignedXml();
}

test("a SAML provider is added before its metadata, and signs in a browser that it sends back from its site", async ({
  page,
  service,
  relyingParty,
  browser,
}) => {
  const provider = await startProvider();
  await openConsole(page, `${service.baseUrl}${ACME}/identity-providers`, ada);
  await page.getByRole("link", { name: "Add an identity provider" }).click();
  await page.getByRole("link", { name: "SAML 2.0" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Partner");
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Add an identity provider" }).click();

  const card = page.getByRole("region", { name: "Partner" });
  await expect(card.getByText("Metadata missing")).toBeVisible();
  await expect(card).toContainText("/saml/acs");
  await expect(card).toContainText("/saml/slo");
  await card.getByRole("button", { name: "Change" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("Metadata file")
    .setInputFiles({ name: "metadata.xml", mimeType: "application/xml", buffer: Buffer.from(provider.metadata) });
  await expect(dialog.getByLabel("Metadata (XML)")).toHaveValue(provider.metadata);
  await dialog.getByLabel("Trust email addresses").check();
  await dialog.getByLabel("Federated logout").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(card).toContainText("Provider certificate expires");
  await expect(card.getByText("Metadata missing")).toHaveCount(0);
  await card.getByRole("button", { name: "Offer on the sign-in page" }).click();
  await expect(card.getByText("On the sign-in page", { exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);

  const context = await browser.newContext();
  const person = await context.newPage();
  const query = { client_id: clients.basic, redirect_uri: relyingParty.redirectUri, response_type: "code" };
  const authorize = `${service.baseUrl}/oauth/v2/authorize?${new URLSearchParams({ ...query, scope: "openid" })}`;
  await person.goto(authorize);
  await person.getByRole("button", { name: "Partner" }).click();
  await expect(person).toHaveTitle("Partner");
  expect(provider.requests.at(-1)).toContain("AuthnRequest");
  await person.getByRole("button", { name: "Sign in" }).click();
  await expect(person.getByLabel("Email")).toHaveValue("sam@partner.test");
  await person.locator("#submit").click();
  await expect(person.getByRole("heading", { name: "Back at the application" })).toBeVisible();
  expect(relyingParty.arrivals.at(-1)?.url.searchParams.get("code")).toBeTruthy();
  await person.goto(`${service.baseUrl}/logout`);
  await person.locator("#confirm-logout").click();
  await expect(person).toHaveTitle("Signed out at the partner");
  await person.goto(authorize);
  await expect(person.getByRole("button", { name: "Partner" })).toBeVisible();
  await context.close();
  await provider.close();
});
