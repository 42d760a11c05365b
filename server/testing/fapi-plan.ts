/** The plan of FAPI 2.0 of the conformance suite: two clients, and the steps of its modules, at a port of their own. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { expect } from "vitest";
import { tokenHash } from "../protocol/dpop";
import { requestListener } from "../service/lanes/direct-lane";
import { certificateMaker, clientCertHeader, type IssuedCertificate } from "./client-certificates";
import { type ClientKey, newClientKey } from "./client-keys";
import type { databaseKinds } from "./database";
import { exampleBootstrap } from "./example";
import { answerOf, fillSignIn, pkcePair } from "./flow";
import { anotherProcess, BASE_URL, testService } from "./test-context";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
export const FAPI_TOKEN = "/oauth/v2/token";
export const FAPI_PAR = "/oauth/v2/par";
export const FAPI_CALLBACK = "https://suite.test/callback";
const [acme] = exampleBootstrap.organizations;

/** One of the two clients of the plan, with all that only it has. */
interface Party {
  id: string;
  redirectUri: string;
  key: ClientKey;
  dpopKey: ClientKey;
  certificate: IssuedCertificate;
}
interface Sent {
  /** What the request omits or replaces; undefined omits it. */
  form?: Record<string, string | undefined>;
  claims?: object;
  signedBy?: ClientKey;
  alg?: string;
  bound?: boolean;
  by?: Party;
}

export async function fapiPlan(kind: (typeof databaseKinds)[number], constrain: "dpop" | "mtls") {
  const maker = certificateMaker();
  const certificates = [maker.selfSigned("/CN=client"), maker.selfSigned("/CN=client2")];
  maker.close();
  const rsa = await newClientKey("PS256");
  const party = async (id: string, index: number): Promise<Party> => ({
    id,
    redirectUri: index === 0 ? FAPI_CALLBACK : `${FAPI_CALLBACK}?dummy1=lorem&dummy2=ipsum`,
    key: await newClientKey("ES256"),
    dpopKey: await newClientKey("ES256"),
    certificate: certificates[index] as IssuedCertificate,
  });
  const [client, client2] = [await party("client", 0), await party("client2", 1)];
  const apps = [client, client2].map(({ id, key, redirectUri }) => ({
    name: id,
    oidc: {
      clientId: id,
      redirectUris: [redirectUri],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
      profile: "PROFILE_FAPI2",
      tlsClientCertificateBoundAccessTokens: constrain === "mtls",
      jwks: { keys: [key, ...(id === "client" ? [rsa] : [])].map(({ jwk, kid }) => ({ ...jwk, kid, use: "sig" })) },
    },
  }));
  const service = await testService(kind, {
    organizations: [{ ...acme, projects: [{ id: "p1", name: "Bank", apps }] }],
  });
  const config = { ...service.config, trustedProxies: ["127.0.0.1"] };
  const server = http.createServer(requestListener(anotherProcess({ ...service, ctx: { ...service.ctx, config } })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = () => Math.floor(service.ctx.clock() / 1000);
  const assertion = ({ id, key }: Party, { claims, signedBy = key, alg = signedBy.alg }: Sent) => {
    const said = { iss: id, sub: id, aud: BASE_URL, jti: crypto.randomUUID(), iat: now(), nbf: now(), exp: now() + 60 };
    return new SignJWT({ ...said, ...claims }).setProtectedHeader({ alg, kid: signedBy.kid }).sign(signedBy.privateKey);
  };
  const proof = (
    method: string,
    path: string,
    { dpopKey: { alg, jwk, privateKey } }: Party,
    token?: string,
    claims = {},
  ) =>
    new SignJWT({
      ...{ jti: crypto.randomUUID(), htm: method, htu: `${BASE_URL}${path}`, iat: now() },
      ...(token !== undefined && { ath: tokenHash(token) }),
      ...claims,
    })
      .setProtectedHeader({ typ: "dpop+jwt", alg, jwk })
      .sign(privateKey);
  /** The headers that show the key that tokens are bound to. */
  const holding = async (method: string, path: string, by: Party, token?: string): Promise<Record<string, string>> =>
    constrain === "dpop"
      ? { dpop: await proof(method, path, by, token) }
      : { "client-cert": clientCertHeader(by.certificate) };

  const post = async (path: string, fields: Record<string, string>, sent: Sent = {}) => {
    const { form = {}, bound = path === FAPI_TOKEN, by = client } = sent;
    const signed = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(by, sent) };
    const all = Object.entries({ client_id: by.id, ...signed, ...fields, ...form });
    const body = new URLSearchParams(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
    const headers = bound ? await holding("POST", path, by) : {};
    const response = await fetch(`${origin}${path}`, { method: "POST", body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const push = (sent: Sent = {}) => {
    const { verifier, challenge } = pkcePair();
    const { redirectUri: redirect_uri } = sent.by ?? client;
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const fields = {
      response_type: "code",
      redirect_uri,
      scope: "openid offline_access",
      state: "st",
      nonce: "n",
      ...pkce,
    };
    return post(FAPI_PAR, fields, sent).then((answer) => ({ ...answer, verifier }));
  };
  const open = (requestUri: string | undefined, more: Record<string, string> = {}, browser = service.browser()) => {
    const query = new URLSearchParams({ client_id: "client", request_uri: requestUri ?? "", ...more });
    return browser.get(`/oauth/v2/authorize?${query}`).then((page) => ({ page, browser }));
  };
  const answered = async (sent: Sent = {}, more: Record<string, string> = {}) => {
    const { body, verifier } = await push(sent);
    const { page, browser } = await open(body.request_uri, { client_id: (sent.by ?? client).id, ...more });
    return { values: answerOf(await fillSignIn(browser, page)), verifier, requestUri: body.request_uri };
  };
  const redeem = (code: string, code_verifier: string, sent: Sent = {}) => {
    const { redirectUri: redirect_uri } = sent.by ?? client;
    return post(FAPI_TOKEN, { grant_type: "authorization_code", code, redirect_uri, code_verifier }, sent);
  };
  const tokens = async (by = client) => {
    const { values, verifier } = await answered({ by });
    const answer = await redeem(values.get("code") ?? "", verifier, { by });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const scheme = constrain === "dpop" ? "DPoP" : "Bearer";
  const userinfo = async (token: string, by: Party | null = client, word = scheme) => {
    const headers = by ? await holding("GET", "/oidc/v1/userinfo", by, token) : {};
    const authorization = `${word} ${token}`;
    return (await fetch(`${origin}/oidc/v1/userinfo`, { headers: { ...headers, authorization } })).status;
  };
  const redeemed = async (sent: Sent) => {
    const { values, verifier } = await answered();
    return redeem(values.get("code") ?? "", verifier, sent);
  };

  const close = async () => {
    server.close();
    await service.close();
  };
  return {
    service,
    origin,
    client,
    client2,
    rsa,
    scheme,
    now,
    post,
    push,
    open,
    answered,
    redeem,
    tokens,
    userinfo,
    redeemed,
    close,
  };
}
