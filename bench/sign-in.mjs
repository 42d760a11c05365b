// Signs the person in once without a browser, as a browser would: follows redirects, keeps cookies, posts the one form.
// What remains is the cookie with which the authorization endpoint answers with a code at once.
import { createHash } from "node:crypto";

export const verifier = "the-code-verifier-of-every-request-of-this-bench";
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** The authorization request every code is asked for with. */
export function authorizationUrl(endpoint, client) {
  const url = new URL(endpoint);
  const parameters = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: client.scope,
    state: "state",
    nonce: "nonce",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Resolves with the Cookie header of the signed-in browser; rejects where the way does not lead to the callback. */
export async function signIn(start, client, person) {
  const cookies = new Map();
  let next = new Request(start);
  for (let steps = 0; steps < 12; steps++) {
    const step = await walk(next, cookies, client, person);
    if (step.done) return cookieHeader(cookies);
    next = step.next;
  }
  throw new Error("The sign-in never came to an end");
}

/** Resolves with the form of the sign-in page as it would be posted, filled in. */
export async function prepareSignIn(start, client, person) {
  const cookies = new Map();
  let next = new Request(start);
  while (next.method !== "POST") ({ next } = await walk(next, cookies, client, person));
  if (cookies.size > 0) next.headers.set("cookie", cookieHeader(cookies));
  return next;
}

/** One request and what follows from its answer; `done` where that is the callback with a code. */
async function walk(request, cookies, client, person) {
  const { url, method } = request;
  if (cookies.size > 0) request.headers.set("cookie", cookieHeader(cookies));
  const response = await fetch(request, { redirect: "manual" });
  keep(cookies, response);
  const location = response.headers.get("location");
  if (location?.startsWith(client.redirectUri)) {
    if (new URL(location).searchParams.has("code")) return { done: true };
    throw new Error(`The sign-in was refused: ${location}`);
  }
  if (location) return { next: new Request(new URL(location, url)) };
  return { next: submission(await response.text(), url, person, `${method} ${url}: ${response.status}`) };
}

function keep(cookies, response) {
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = line.match(/^([^=]+)=([^;]*)/) ?? [];
    if (/;\s*max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

const cookieHeader = (cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** The page's form, filled in. */
function submission(html, url, person, step) {
  const form = html.match(/<form\b[^>]*>/)?.[0];
  if (!form) throw new Error(`${step}, a page without a form`);
  const attribute = (tag, name) => decoded(tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1]);
  const fields = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, "name");
    if (name) fields.append(name, person[name] ?? attribute(tag, "value") ?? "");
  }
  const action = new URL(attribute(form, "action") ?? url, url);
  return new Request(action, { method: "POST", body: fields, headers: { origin: action.origin } });
}

function decoded(text) {
  return text?.replace(/&(amp|quot|lt|gt|#x27|#39);/g, (entity) => ENTITIES[entity]);
}
const ENTITIES = { "&amp;": "&", "&quot;": '"', "&lt;": "<", "&gt;": ">", "&#x27;": "'", "&#39;": "'" };
