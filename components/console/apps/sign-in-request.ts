// The authorization request of the playground: the requested parameters and the random ones.
import * as oauth from "oauth4webapi";
import { type AuthorizationAttempt, begin, callbackAddress, type PlaygroundApp } from "./sign-in-flow";

/** The values of the form. */
export interface Wanted {
  scope: string;
  responseType: string;
  prompt: string;
  loginHint: string;
  maxAge: string;
  uiLocales: string;
}

export const SCOPE = "openid profile email";

/** Returns the form values of an ordinary sign-in. */
export const usualWish = (responseType: string): Wanted => ({
  scope: SCOPE,
  responseType,
  prompt: "",
  loginHint: "",
  maxAge: "",
  uiLocales: "",
});

/** Returns the parameters of a request, in a readable order. */
export async function prepare(issuer: string, app: PlaygroundApp, wanted: Wanted): Promise<AuthorizationAttempt> {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  return attemptOf(issuer, app, wanted, {
    codeVerifier,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    codeChallenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
  });
}

/** A placeholder for 256 random bits in base64url, so that the layout does not shift when they are generated. */
const TO_COME = ".".repeat(43);

/** Returns the request with placeholders, before the page's script generates the random values. */
export const outline = (issuer: string, app: PlaygroundApp, wanted: Wanted): AuthorizationAttempt =>
  attemptOf(issuer, app, wanted, { codeVerifier: "", state: TO_COME, nonce: TO_COME, codeChallenge: TO_COME });

type Random = Record<"codeVerifier" | "state" | "nonce" | "codeChallenge", string>;

function attemptOf(issuer: string, app: PlaygroundApp, wanted: Wanted, random: Random): AuthorizationAttempt {
  const { codeVerifier, state, nonce, codeChallenge } = random;
  const isCode = wanted.responseType.split(" ").includes("code");
  const redirectUri = callbackAddress(issuer);
  const optional = {
    prompt: wanted.prompt,
    login_hint: wanted.loginHint,
    max_age: wanted.maxAge,
    ui_locales: wanted.uiLocales,
  };
  const parameters = {
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: wanted.responseType,
    scope: wanted.scope,
    state,
    nonce,
    ...(isCode && {
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
    }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value.trim() !== "")),
  };
  return { issuer, app, redirectUri, responseType: wanted.responseType, parameters, codeVerifier };
}

/** Starts an ordinary sign-in, in the visitor's language. */
export async function beginTrial(
  issuer: string,
  app: PlaygroundApp,
  responseType: string,
  locale: string,
): Promise<void> {
  begin(await prepare(issuer, app, { ...usualWish(responseType), uiLocales: locale }));
}
