// The requests of clients to the service, counted by kind, with a record of everything that was acknowledged.
import { randomBytes } from "node:crypto";
import { authorizationUrl, signIn, verifier } from "../../bench/sign-in.mjs";
import { api, client, machine, person, SERVICE, SHOP } from "./acme.mjs";
import { basic, createAgent, ask as send } from "./ask.mjs";

/** Creates a load. @param {string} issuer of the service that receives all requests */
export function createLoad(issuer) {
  const agent = createAgent();
  const counts = new Map();
  const memory = { tokens: [], families: [], codes: [], users: [], mailed: [], lost: [], twice: [], inDoubt: 0 };
  const cookies = [];
  const failures = { latest: 0 };
  const open = new Set();
  const oauth = (path) => `${issuer}/oauth/v2/${path}`;

  /** Sends a request and tracks its age. */
  async function ask(what) {
    const request = { since: Date.now() };
    open.add(request);
    try {
      return await send({ agent, ...what });
    } finally {
      open.delete(request);
    }
  }

  /** Returns the age of the oldest unanswered request in milliseconds. */
  const oldest = () => Date.now() - Math.min(Date.now(), ...Array.from(open, ({ since }) => since));

  function count(kind, { status, failure, headers, text = "" }, isRight) {
    const entry = counts.get(kind) ?? { answered: 0, failed: new Map() };
    counts.set(kind, entry);
    if (isRight) entry.answered++;
    else {
      const how = failure ?? `${status}${reasonOf(text, headers?.location)}`;
      entry.failed.set(how, (entry.failed.get(how) ?? 0) + 1);
      failures.latest = Date.now();
    }
    return isRight;
  }

  async function credentials(scope) {
    const form = { grant_type: "client_credentials", scope };
    const answer = await ask({ url: oauth("token"), headers: { authorization: basic(machine) }, form });
    count("token", answer, answer.status === 200);
    return answer.status === 200 ? JSON.parse(answer.text).access_token : undefined;
  }

  async function token() {
    const value = await credentials(SHOP);
    if (value) memory.tokens.push(value);
  }

  async function introspection(value = memory.tokens[Math.floor(Math.random() * memory.tokens.length)]) {
    if (value === undefined) return token();
    const form = { token: value };
    const answer = await ask({ url: oauth("introspect"), headers: { authorization: basic(api) }, form });
    count("introspection", answer, answer.status === 200);
    const inactive = answer.status === 200 && JSON.parse(answer.text).active !== true;
    if (inactive) memory.lost.push("an access token is inactive");
    return !inactive;
  }

  async function refresh() {
    const isFree = (family) => !family.busy && (family.notBefore ?? 0) <= Date.now();
    const inDoubt = memory.families.findIndex((family) => family.inDoubt && isFree(family));
    const at = inDoubt < 0 ? memory.families.findIndex(isFree) : inDoubt;
    if (at < 0) return token();
    const [family] = memory.families.splice(at, 1);
    memory.families.push(family); // the least recently used first
    return refreshFamily(family);
  }

  /**
   * Refreshes a family of tokens. Without a response the client retries with the same token, at once or up to three
   * seconds after the time of the response, and must succeed.
   */
  async function refreshFamily(family) {
    family.busy = true;
    const answer = await refreshWith(family.current);
    family.busy = false;
    family.inDoubt = answer.status !== 200;
    const told = Number(answer.headers["retry-after"] ?? 0) * 1000;
    family.notBefore = told && Date.now() + told + Math.random() * 3_000;
    if (answer.status !== 200 && answer.status !== 400) memory.inDoubt++;
    if (count("refresh", answer, answer.status === 200)) {
      family.spent.push(family.current);
      family.current = JSON.parse(answer.text).refresh_token;
      memory.tokens.push(JSON.parse(answer.text).access_token);
    } else if (answer.status === 400) {
      memory.lost.push(`a family of refresh tokens: ${answer.text}`);
      memory.families.splice(memory.families.indexOf(family), 1);
    }
  }

  /** Makes the clients whose response was lost retry at once, when the service is back. */
  async function comeAgain() {
    const waiting = memory.families.filter((family) => family.inDoubt && !family.busy);
    await Promise.all(waiting.map(refreshFamily));
  }

  function refreshWith(value) {
    const form = { grant_type: "refresh_token", refresh_token: value };
    return ask({ url: oauth("token"), headers: { authorization: basic(client) }, form });
  }

  /** Signs a browser in with the password, from the first page to the code. */
  async function passwordSignIn() {
    try {
      cookies.push(await signIn(authorizationUrl(oauth("authorize"), client), client, person));
      count("sign-in", {}, true);
    } catch (error) {
      const [, status] = error.message.match(/: (\d{3}),/) ?? [];
      count("sign-in", { status, failure: status ? undefined : (error.code ?? error.message) }, false);
    }
  }

  /** Requests a code with a signed-in browser and redeems it as the application. */
  async function code() {
    const cookie = cookies[Math.floor(Math.random() * cookies.length)];
    if (cookie === undefined) return passwordSignIn();
    const answer = await ask({ url: authorizationUrl(oauth("authorize"), client), headers: { cookie } });
    const value = codeOf(answer);
    if (!count("code", answer, value !== undefined)) return;
    const redeemed = await redeem(value);
    if (!count("exchange", redeemed, redeemed.status === 200)) return;
    const tokens = JSON.parse(redeemed.text);
    memory.codes.push(value);
    memory.tokens.push(tokens.access_token);
    memory.families.push({ current: tokens.refresh_token, spent: [], busy: false, inDoubt: false });
  }

  function redeem(value) {
    const form = {
      grant_type: "authorization_code",
      code: value,
      redirect_uri: client.redirectUri,
      code_verifier: verifier,
    };
    return ask({ url: oauth("token"), headers: { authorization: basic(client) }, form });
  }

  let bearer;
  /** Creates a user. @param {boolean} isMailed whether the address is sent a code */
  async function user(isMailed = false) {
    bearer ??= await credentials(SERVICE);
    if (bearer === undefined) return;
    const name = `u${randomBytes(8).toString("hex")}@acme.test`;
    const json = {
      username: name,
      profile: { givenName: "Grace", familyName: "Hopper" },
      email: { email: name, ...(isMailed && { sendCode: {} }) },
    };
    const headers = { authorization: `Bearer ${bearer}`, "x-service-orgid": "acme" };
    const answer = await ask({ url: `${issuer}/v2/users/human`, headers, json });
    if (!count("user", answer, answer.status === 200 || answer.status === 201)) return;
    memory.users.push(JSON.parse(answer.text).userId);
    if (isMailed) memory.mailed.push(name);
  }

  const readUser = (userId) =>
    ask({ url: `${issuer}/v2/users/${userId}`, headers: { authorization: `Bearer ${bearer}` } });

  const flows = {
    token,
    introspection,
    refresh,
    code,
    "sign-in": passwordSignIn,
    user: () => user(),
    mailed: () => user(true),
  };
  return { flows, counts, failures, oldest, memory, introspection, comeAgain, redeem, readUser, refreshWith };
}

function codeOf({ status, headers }) {
  if (status < 300 || status > 399 || !headers.location?.startsWith(client.redirectUri)) return undefined;
  return new URL(headers.location).searchParams.get("code") ?? undefined;
}

/** Returns the name of an error of OAuth or of the management API; for a redirect, its error or page. */
function reasonOf(text, location) {
  const [, reason] = text.match(/"(?:error|message)":\s*"([^"]{1,80})/) ?? [];
  if (reason) return ` ${reason}`;
  if (location === undefined) return "";
  const { pathname, searchParams } = new URL(location, "http://localhost");
  return ` ${searchParams.get("error") ?? `to ${pathname}`}`;
}
