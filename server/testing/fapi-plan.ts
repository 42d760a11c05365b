/** The plans of FAPI 2.0 of the conformance suite: two clients, and the steps of the modules, at a port. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { expect } from "vitest";
import { tokenHash } from "../protocol/dpop";
import { requestListener } from "../service/http-server/request-listener";
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

type Fields = Record<string, string>;

/** One of the two clients of the plan, with all that only it has. */
interface Party {
  id: string;
  redirectUri: string;
  key: ClientKey;
  dpopKey: ClientKey;
  certificate: IssuedCertificate;
}
/** What replaces or adds to what a careful client signs. */
interface Signed {
  claims?: JWTPayload;
  header?: object;
  by?: ClientKey;
}
interface Sent {
  /** What the request omits or replaces; undefined omits it. */
  form?: Record<string, string | undefined>;
  /** Form fields beside the request object. */
  beside?: Record<string, string>;
  claims?: object;
  signedBy?: ClientKey;
  alg?: string;
  bound?: boolean;
  by?: Party;
  proof?: Signed;
  object?: Signed | "unsigned";
}

/** The variant of a plan. Message Signing signs requests, and responses too if `responseMode` is `jarm`. */
export interface FapiVariant {
  kind: (typeof databaseKinds)[number];
  constrain: "dpop" | "mtls";
  profile: "PROFILE_FAPI2" | "PROFILE_FAPI2_MESSAGE_SIGNING";
  responseMode?: "plain_response" | "jarm";
}

export type FapiPlan = Awaited<ReturnType<typeof fapiPlan>>;

export async function fapiPlan({ kind, constrain, profile, responseMode }: FapiVariant) {
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
      profile,
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
  const proof = (method: string, path: string, { dpopKey }: Party, token?: string, signed: Signed = {}) => {
    const { alg, jwk, privateKey } = signed.by ?? dpopKey;
    const said = { jti: crypto.randomUUID(), htm: method, htu: `${BASE_URL}${path}`, iat: now() };
    const hash = token === undefined ? {} : { ath: tokenHash(token) };
    return new SignJWT({ ...said, ...hash, ...signed.claims })
      .setProtectedHeader({ typ: "dpop+jwt", alg, jwk, ...signed.header })
      .sign(privateKey);
  };
  /** The headers that show the key that tokens are bound to. */
  const holding = async (method: string, path: string, by: Party, token?: string, signed?: Signed): Promise<Fields> =>
    constrain === "dpop"
      ? { dpop: await proof(method, path, by, token, signed) }
      : { "client-cert": clientCertHeader(by.certificate) };
  /** Returns the request object of a client (RFC 9101). Its times are those of the suite. */
  const requestObject = ({ id, key }: Party, parameters: object, { claims, header, by = key }: Signed) =>
    new SignJWT({ iss: id, aud: BASE_URL, nbf: now(), exp: now() + 300, client_id: id, ...parameters, ...claims })
      .setProtectedHeader({ typ: "oauth-authz-req+jwt", alg: by.alg, kid: by.kid, ...header })
      .sign(by.privateKey);

  const post = async (path: string, fields: Fields, sent: Sent = {}) => {
    const { form = {}, bound = path === FAPI_TOKEN, by = client } = sent;
    const signed = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(by, sent) };
    const all = Object.entries({ client_id: by.id, ...signed, ...fields, ...form });
    const body = new URLSearchParams(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
    const headers = bound ? await holding("POST", path, by, undefined, sent.proof) : {};
    const response = await fetch(`${origin}${path}`, { method: "POST", body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const push = async (sent: Sent = {}) => {
    const { verifier, challenge } = pkcePair();
    const { by = client, form, object = {}, beside } = sent;
    const said = { response_type: "code", redirect_uri: by.redirectUri, scope: "openid offline_access", state: "st" };
    const pkce = { code_challenge: challenge, code_challenge_method: "S256", nonce: "n" };
    const mode = responseMode === "jarm" && { response_mode: "jwt" };
    const parameters = { ...said, ...pkce, ...mode, ...form };
    const isSigned = profile === "PROFILE_FAPI2_MESSAGE_SIGNING" && object !== "unsigned";
    const fields: Fields = isSigned ? { request: await requestObject(by, parameters, object) } : {};
    const answer = await post(FAPI_PAR, fields, { ...sent, form: isSigned ? beside : { ...parameters, ...beside } });
    return { ...answer, verifier };
  };
  const open = (requestUri: string | undefined, more: Record<string, string> = {}, browser = service.browser()) => {
    const query = new URLSearchParams({ client_id: "client", request_uri: requestUri ?? "", ...more });
    return browser.get(`/oauth/v2/authorize?${query}`).then((page) => ({ page, browser }));
  };
  /** Returns the parameters of an authorization response, which are claims of a JWT if it is signed. */
  const received = async (response: Response, { id } = client) => {
    const sent = answerOf(response);
    const jwt = sent.get("response");
    if (responseMode !== "jarm" || jwt === null) return sent;
    expect([...sent.keys()].filter((name) => !name.startsWith("dummy"))).toEqual(["response"]);
    const keys = createLocalJWKSet((await (await service.fetch("/oauth/v2/keys")).json()) as JSONWebKeySet);
    const checks = { issuer: BASE_URL, audience: id, currentDate: new Date(service.ctx.clock()) };
    const { payload, protectedHeader } = await jwtVerify(jwt, keys, { ...checks, requiredClaims: ["exp"] });
    expect(["PS256", "ES256", "EdDSA"]).toContain(protectedHeader.alg);
    for (const [name, value] of Object.entries(payload)) {
      if (name !== "aud" && name !== "exp") sent.set(name, String(value));
    }
    return sent;
  };
  const answered = async (sent: Sent = {}, more: Record<string, string> = {}) => {
    const { by = client } = sent;
    const { body, verifier } = await push(sent);
    const { page, browser } = await open(body.request_uri, { client_id: by.id, ...more });
    const values = await received(await fillSignIn(browser, page), by);
    return { values, verifier, requestUri: body.request_uri };
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
  const userinfo = async (token: string, by: Party | null = client, word = scheme, signed?: Signed) => {
    const headers = by ? await holding("GET", "/oidc/v1/userinfo", by, token, signed) : {};
    const authorization = `${word} ${token}`;
    return (await fetch(`${origin}/oidc/v1/userinfo`, { headers: { ...headers, authorization } })).status;
  };
  /** Redeems the code of a new sign-in; `pushed` is about the request, `sent` about the redemption. */
  const redeemed = async (sent: Sent = {}, pushed: Sent = {}) => {
    const { values, verifier } = await answered(pushed);
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
    constrain,
    scheme,
    now,
    proof,
    post,
    push,
    open,
    received,
    answered,
    redeem,
    tokens,
    userinfo,
    redeemed,
    close,
  };
}
