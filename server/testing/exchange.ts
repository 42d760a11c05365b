/** Token exchange in tests: tokens of every kind, and the request. */
import { SignJWT } from "jose";
import { tokenExchange } from "../protocol/grant-type";
import { tokenTypes } from "../protocol/token-exchange-request";
import { PASSWORD, SECRET } from "./example";
import { authorize, basic, postToken, REDIRECT_URI, type Tokens } from "./flow";
import { BASE_URL, type TestService } from "./test-context";
import { exchangeKey, MACHINE_SECRET } from "./token-example";

export interface Exchanged extends Partial<Tokens> {
  issued_token_type?: string;
  error?: string;
  error_description?: string;
}

export const EVERYTHING = "openid profile email offline_access";

/** Returns tokens of a user at an app that authenticates with its secret. */
export async function personTokens(
  service: TestService,
  { user = "eve", scope = EVERYTHING, client = "exchange" } = {},
): Promise<Tokens> {
  const person = { loginName: `${user}@${user === "gus" ? "globex" : "acme"}.test`, password: PASSWORD };
  const answer = await authorize(service.browser(), { client_id: client, scope }, person);
  const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: REDIRECT_URI };
  return (await postToken(service, form, basic(client, SECRET))).json() as Promise<Tokens>;
}

/** Returns an access token of a machine for itself. */
export async function machineToken(service: TestService, machine: string, scope = ""): Promise<string> {
  const secret = machine === "ci" ? MACHINE_SECRET : `${machine}-${MACHINE_SECRET}`;
  const form = { grant_type: "client_credentials", ...(scope ? { scope } : {}) };
  return ((await (await postToken(service, form, basic(machine, secret))).json()) as Tokens).access_token;
}

/** Returns a JWT about a user, signed by the app `exchange-jwt`. */
export function clientJwt(subject: string, claims: Record<string, unknown> = {}, key = exchangeKey.privateKey) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: "exchange-jwt", sub: subject, aud: BASE_URL, iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "x1" })
    .sign(key);
}

export interface ExchangeForm {
  subject: [type: keyof typeof tokenTypes, token: string];
  actor?: [type: keyof typeof tokenTypes, token: string];
  requested?: keyof typeof tokenTypes;
  scope?: string;
  audience?: string;
  more?: Record<string, string>;
}

/** Posts a token exchange, as the app `exchange` by default. */
export function postExchange(
  service: TestService,
  { subject, actor, requested, scope, audience, more }: ExchangeForm,
  authorization: string | null = basic("exchange", SECRET),
): Promise<Response> {
  const form = {
    grant_type: tokenExchange,
    subject_token_type: tokenTypes[subject[0]],
    subject_token: subject[1],
    ...(actor ? { actor_token_type: tokenTypes[actor[0]], actor_token: actor[1] } : {}),
    ...(requested ? { requested_token_type: tokenTypes[requested] } : {}),
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
    ...more,
  };
  return postToken(service, form, authorization);
}

/** Posts a token exchange and returns the parsed response. */
export async function exchange(
  service: TestService,
  form: ExchangeForm,
  authorization?: string | null,
): Promise<Exchanged & { status: number }> {
  const response = await postExchange(service, form, authorization);
  return { status: response.status, ...((await response.json()) as Exchanged) };
}

/** Returns the form fields that authenticate `exchange-jwt`. Each result works once. */
export async function exchangeJwtCredentials(clientId = "exchange-jwt"): Promise<Record<string, string>> {
  const claims = { iss: clientId, jti: crypto.randomUUID() };
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await clientJwt(clientId, claims),
  };
}
