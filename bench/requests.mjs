// The requests to each endpoint and the checks of its responses, in the format of autocannon: `request` returns what
// one connection sends, `verifyBody` and `wrong.count` check the responses.
import { authorizationUrl, verifier } from "./sign-in.mjs";
import { tokenLoads } from "./token-requests.mjs";

const form = { "content-type": "application/x-www-form-urlencoded" };

/**
 * Returns a load whose responses can be checked by their body alone, which is cheaper than checking the headers too.
 */
function equal(url, request, isRight) {
  const wrong = { count: 0 };
  const verifyBody = (body) => {
    if (isRight(body)) return true;
    wrong.count++;
    wrong.example ??= body;
    return false;
  };
  return { url, request: () => ({ ...request }), verifyBody, wrong };
}

/** Returns the loads of a bare server. @param target.fixed the path and body of constant responses, by endpoint */
export function bareLoads({ issuer, fixed: answers = {} }) {
  const fixed = Object.entries(answers).map(([name, { path, body }]) => [
    name,
    () => equal(issuer + path, { method: "GET" }, (answer) => answer === body),
  ]);
  const post = { method: "POST", headers: form, body: "grant_type=authorization_code&code=0123456789abcdef" };
  const signed = () => equal(issuer, post, (answer) => answer.startsWith('{"id_token":"ey'));
  return { ...Object.fromEntries(fixed), exchange: signed, credentialsJwt: signed };
}

/** A first-in, first-out queue. Taking an entry is cheap in a long queue too. */
function queue() {
  const items = [];
  let taken = 0;
  return {
    put: (item) => items.push(item),
    take: () => items[taken++] ?? "none-is-left",
    left: () => items.length - taken,
    latest: (count) => items.slice(-count),
  };
}

/**
 * Returns the loads of the most used endpoints, found by discovery, in an order in which each prepares the next: the
 * authorization endpoint issues codes, their exchange issues tokens.
 * @param {{ cookies: string[] }} target with the cookies of signed-in browsers, which are used in turn
 * @param {number} mostCodes the maximum number of codes to redeem
 */
export async function providerLoads(target, mostCodes) {
  const { issuer, cookies, client, document } = target;
  const address = `${issuer}/.well-known/openid-configuration`;
  const metadata = await (await fetch(address)).json();
  const codes = queue();
  const requestUris = queue();
  const refreshTokens = queue();
  const accessTokens = queue();

  /** Returns the load of an address with a constant response. */
  const same = async (url) => {
    const expected = await (await fetch(url)).text();
    return equal(url, { method: "GET" }, (body) => body === expected);
  };

  /** Returns a load of the token endpoint. Tokens of correct responses are kept. */
  const tokenLoad = (parameters) => {
    const wrong = { count: 0 };
    const credentials = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
    const headers = { ...form, authorization: `Basic ${credentials}` };
    const request = () => ({
      method: "POST",
      headers,
      setupRequest: (one) => ({ ...one, headers, body: new URLSearchParams(parameters()).toString() }),
      onResponse: (status, body) => {
        const tokens = status === 200 ? JSON.parse(body) : {};
        if (!tokens.access_token || !tokens.refresh_token || !tokens.id_token?.startsWith("ey")) {
          wrong.count++;
          wrong.example ??= `${status} ${body}`;
          return;
        }
        accessTokens.put(tokens.access_token);
        refreshTokens.put(tokens.refresh_token);
      },
    });
    return { url: metadata.token_endpoint, request, wrong };
  };

  /** Returns a load of the authorization endpoint. Codes of correct responses are kept. */
  const authorizeLoad = (url, path) => {
    const wrong = { count: 0 };
    let next = 0;
    const setupRequest = (one) => {
      const headers = { cookie: cookies[next++ % cookies.length] };
      return path ? { ...one, headers, path: path() } : { ...one, headers };
    };
    const onResponse = (status, body, _context, headers) => {
      const location = headers.location ?? headers.Location ?? "";
      const code = location.startsWith(client.redirectUri) && new URL(location).searchParams.get("code");
      if (code) {
        codes.put(code);
        return;
      }
      wrong.count++;
      wrong.example ??= `${status} ${location || body}`;
    };
    return { url, wrong, request: () => ({ method: "GET", setupRequest, onResponse }) };
  };

  /** Returns a load of the authorization endpoint without a session. @param id of the client */
  const signedOutLoad = (id) => {
    const wrong = { count: 0 };
    const onResponse = (status, body, _context, headers) => {
      const location = headers.location ?? headers.Location ?? "";
      if (location.includes("/login?")) return;
      wrong.count++;
      wrong.example ??= `${status} ${location || body}`;
    };
    const url = authorizationUrl(metadata.authorization_endpoint, { ...client, id });
    return { url, wrong, request: () => ({ method: "GET", onResponse }) };
  };

  const discovery = await same(address);
  const keys = await same(metadata.jwks_uri);
  return {
    ...tokenLoads(metadata, target, () => accessTokens.latest(5000)),
    discovery: () => discovery,
    keys: () => keys,
    authorize: () => authorizeLoad(authorizationUrl(metadata.authorization_endpoint, client)),
    authorizeSignedOut: () => signedOutLoad(client.id),
    authorizeByDocument: () => signedOutLoad(document),
    pushed: () => {
      const wrong = { count: 0 };
      const credentials = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
      const body = new URL(authorizationUrl(metadata.authorization_endpoint, client)).searchParams.toString();
      const onResponse = (status, answer) => {
        if (status === 201) return requestUris.put(JSON.parse(answer).request_uri);
        wrong.count++;
        wrong.example ??= `${status} ${answer}`;
      };
      const headers = { ...form, authorization: `Basic ${credentials}` };
      const request = () => ({ method: "POST", headers, body, onResponse });
      return { url: metadata.pushed_authorization_request_endpoint, wrong, request };
    },
    authorizePushed: () => {
      const path = () => {
        const { pathname } = new URL(metadata.authorization_endpoint);
        return `${pathname}?${new URLSearchParams({ client_id: client.id, request_uri: requestUris.take() })}`;
      };
      return { ...authorizeLoad(metadata.authorization_endpoint, path), amount: requestUris.left() };
    },
    exchange: () => ({
      ...tokenLoad(() => ({
        grant_type: "authorization_code",
        code: codes.take(),
        redirect_uri: client.redirectUri,
        code_verifier: verifier,
      })),
      amount: Math.min(codes.left(), mostCodes),
    }),
    refresh: () => tokenLoad(() => ({ grant_type: "refresh_token", refresh_token: refreshTokens.take() })),
    userinfo: () => {
      const tokens = accessTokens.latest(5000);
      let next = 0;
      let expected;
      const setupRequest = (one) => ({
        ...one,
        headers: { authorization: `Bearer ${tokens[next++ % tokens.length]}` },
      });
      return equal(metadata.userinfo_endpoint, { method: "GET", setupRequest }, (body) => {
        expected ??= body;
        return body === expected && body.includes('"email"');
      });
    },
  };
}
