// Signs the user in without a browser: follows redirects, keeps cookies, posts the form. With the resulting cookie the
// authorization endpoint returns a code at once.
import { createHash } from "node:crypto";
import { exchange } from "./exchange.mjs";

export const verifier = "the-code-verifier-of-every-request-of-this-bench";
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** Returns the address of the authorization request for every code. */
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

/**
 * Resolves with the Cookie header of the signed-in browser; rejects if it does not arrive at the callback.
 * @param person the fields of forms; with `isAtProvider`, the provider's button is pressed; `headers` are added
 */
export async function signIn(start, client, person) {
  const cookies = new Map();
  let next = { url: start };
  for (let steps = 0; steps < 12; steps++) {
    const step = await walk(next, cookies, client, person);
    if (step.done) return cookieHeader(cookies);
    next = step.next;
  }
  throw new Error("The sign-in never came to an end");
}

/** Resolves with the filled-in form of the sign-in page, ready to be posted. */
export async function prepareSignIn(start, client, person) {
  const cookies = new Map();
  let next = { url: start };
  while (next.method !== "POST") ({ next } = await walk(next, cookies, client, person));
  return withCookies(next, cookies);
}

/** Sends a request and follows its response. `done` is set if that is the callback with a code. */
async function walk(request, cookies, client, person) {
  const { url, method = "GET" } = request;
  const { status, headers, text } = await exchange(
    withCookies({ ...request, headers: { ...request.headers, ...person.headers } }, cookies),
  );
  keep(cookies, headers["set-cookie"] ?? []);
  const { location } = headers;
  if (location?.startsWith(client.redirectUri)) {
    if (new URL(location).searchParams.has("code")) return { done: true };
    throw new Error(`The sign-in was refused: ${location}`);
  }
  if (location) return { next: { url: new URL(location, url).href } };
  return { next: submission(text, url, person, `${method} ${url}: ${status}`) };
}

function withCookies(request, cookies) {
  return cookies.size === 0 ? request : { ...request, headers: { ...request.headers, cookie: cookieHeader(cookies) } };
}

function keep(cookies, lines) {
  for (const line of lines) {
    const [, name, value] = line.match(/^([^=]+)=([^;]*)/) ?? [];
    if (/;\s*max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

const cookieHeader = (cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Returns the first form of the page, filled in. */
function submission(html, url, person, step) {
  const forms = [...html.matchAll(/(<form\b[^>]*>).*?<\/form>/gs)];
  const [form, tag] = forms.find(([text]) => !person.isAtProvider || text.includes('name="idp"')) ?? [];
  if (!form) throw new Error(`${step}, a page without a form`);
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
    const { name, value = "" } = attributes(input);
    if (name) fields.append(name, person[name] ?? value);
  }
  const [button] = (person.isAtProvider && form.match(/<button\b[^>]*name="idp"[^>]*>/)) || [];
  if (button) fields.append("idp", attributes(button).value);
  const action = new URL(attributes(tag).action ?? url, url);
  return { url: action.href, method: "POST", body: fields.toString(), headers: { origin: action.origin } };
}

const attributes = (tag) =>
  Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, decoded(value)]));

function decoded(text) {
  return text.replace(/&(amp|quot|lt|gt|#x27|#39);/g, (entity) => ENTITIES[entity]);
}
const ENTITIES = { "&amp;": "&", "&quot;": '"', "&lt;": "<", "&gt;": ">", "&#x27;": "'", "&#39;": "'" };
