// The requests of clients that act for themselves, and of APIs: client credentials, JWT profile, introspection, token
// exchange, revocation. Each uses the tokens of the previous ones.
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";

const form = { "content-type": "application/x-www-form-urlencoded" };
const basic = ({ id, secret }) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

/**
 * Returns the loads.
 * @param {object} metadata the discovery document
 * @param {{ client: object, machines?: object }} target our machines; peers have none, their client acts for itself
 * @param {() => string[]} userTokens access tokens of users, newest last
 */
export function tokenLoads(metadata, { client, machines }, userTokens) {
  const opaque = [];
  let revoked = 0;

  /** Returns a load that posts forms; `isRight` checks a response. */
  const posts = (url, credentials, parameters, isRight, further = () => ({})) => {
    const wrong = { count: 0 };
    const headers = credentials ? { ...form, authorization: basic(credentials) } : form;
    const onResponse = (status, body) => {
      if (isRight(status, body)) return;
      wrong.count++;
      wrong.example ??= `${status} ${body}`;
    };
    const setupRequest = (one) => ({
      ...one,
      headers: { ...headers, ...further() },
      body: new URLSearchParams(parameters()).toString(),
    });
    return { url, wrong, request: () => ({ method: "POST", headers, setupRequest, onResponse }) };
  };
  const token = (credentials, parameters, isRight, further) =>
    posts(
      metadata.token_endpoint,
      credentials,
      parameters,
      (status, body) => {
        const tokens = status === 200 ? JSON.parse(body) : {};
        return typeof tokens.access_token === "string" && isRight(tokens);
      },
      further,
    );
  const inTurn = (values) => {
    let next = 0;
    return () => values[next++ % values.length];
  };

  /** Returns a load that introspects the tokens in turn. */
  const introspect = (tokens, credentials) => {
    const take = inTurn(tokens);
    return posts(
      metadata.introspection_endpoint,
      credentials,
      () => ({ token: take() }),
      (status, body) => status === 200 && body.includes('"active":true'),
    );
  };

  return {
    credentials: () =>
      token(
        machines?.opaque ?? client,
        () => ({ grant_type: "client_credentials", ...machines?.scope }),
        ({ access_token }) => opaque.push(access_token) > 0,
      ),
    credentialsDpop: () =>
      token(
        machines.opaque,
        () => ({ grant_type: "client_credentials", ...machines.scope }),
        ({ token_type }) => token_type === "DPoP",
        proofMaker(metadata.token_endpoint),
      ),
    credentialsJwt: () =>
      token(
        machines?.jwt ?? client,
        () => ({ grant_type: "client_credentials", ...(machines ? machines.scope : { resource: "urn:bench" }) }),
        ({ access_token }) => access_token.startsWith("ey"),
      ),
    jwtBearer: () => {
      const assertion = signAssertion(metadata.issuer, machines.opaque);
      const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion, ...machines.scope };
      return token(
        undefined,
        () => grant,
        () => true,
      );
    },
    introspection: () => introspect(opaque.slice(Math.max(revoked, opaque.length - 5000)), machines?.api ?? client),
    introspectPerson: () => introspect(userTokens(), machines.api),
    tokenExchange: () => {
      const take = inTurn(userTokens());
      const parameters = () => ({
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: take(),
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        scope: "profile",
      });
      return token(client, parameters, ({ issued_token_type }) => issued_token_type?.endsWith(":access_token"));
    },
    revocation: () => {
      const parameters = () => ({ token: opaque[revoked++] ?? "none-is-left" });
      const load = posts(
        metadata.revocation_endpoint,
        machines?.opaque ?? client,
        parameters,
        (status) => status === 200,
      );
      return { ...load, amount: opaque.length - revoked };
    },
  };
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns what makes the header of a request: a proof of one ES256 key (RFC 9449), which can be used once. */
function proofMaker(htu) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const header = encode({ typ: "dpop+jwt", alg: "ES256", jwk: publicKey.export({ format: "jwk" }) });
  return () => {
    const iat = Math.floor(Date.now() / 1000);
    const input = `${header}.${encode({ htm: "POST", htu, iat, jti: randomUUID() })}`;
    const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    return { dpop: `${input}.${signature.toString("base64url")}` };
  };
}

/**
 * Signs an assertion without a `jti`, which may be reused, so that the service is measured and not the signatures of
 * the load generator.
 */
function signAssertion(issuer, { userId, keyId, privateKey }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: userId, sub: userId, aud: issuer, iat: now, exp: now + 3600 };
  const input = `${encode({ alg: "RS256", kid: keyId })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), createPrivateKey(privateKey));
  return `${input}.${signature.toString("base64url")}`;
}
