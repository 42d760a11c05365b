// A limit of the machine: bare node:http, with a fixed response or with one RS256 signature per request. It has the
// timeouts of our server and uses the same workaround as server/runtime/fast-ticks.ts, so that the comparison is fair.
import { createHook } from "node:async_hooks";
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";

/** Returns a handler that answers each path with its given headers and body. */
function fixed(answers) {
  const made = new Map(
    Object.entries(answers).map(([path, { headers, body }]) => {
      const bytes = Buffer.from(body);
      return [path, { bytes, headers: { ...headers, "content-length": bytes.length } }];
    }),
  );
  return ({ url }, response) => {
    const { headers, bytes } = made.get(url);
    response.writeHead(200, headers).end(bytes);
  };
}

/** Returns a handler that reads the body and responds with a JWT signed by `signWith` (RSA, 2048 bits). */
function signed(signWith) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: "bench", typ: "JWT" })).toString("base64url");
  return (request, response) => {
    request.resume().on("end", () => {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: "http://localhost", sub: "ada", aud: "web", iat: now, exp: now + 3600, auth_time: now };
      const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      signWith(Buffer.from(input), privateKey, (signature) => {
        const body = JSON.stringify({ id_token: `${input}.${signature.toString("base64url")}` });
        response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
      });
    });
  };
}

/** Signs in Node's thread pool. Whether that or the main thread is faster depends on the number of idle cores. */
function inPool(data, key, done) {
  sign("sha256", data, key, (error, signature) => {
    if (error) throw error;
    done(signature);
  });
}
const inline = (data, key, done) => done(sign("sha256", data, key));

/** Equal to LIMITS in server/service/http-server/one-port.ts. */
const LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

const kept = [];
const hook = createHook({ init: (_id, _type, _trigger, resource) => kept.push(resource) }).enable();
process.nextTick(() => {});
hook.disable();

const kinds = { fixed, signedInPool: () => signed(inPool), signedInline: () => signed(inline) };

process.once("message", ({ kind, answers }) => {
  const server = createServer(LIMITS, kinds[kind](answers)).listen(0, "127.0.0.1", () => {
    process.send({ issuer: `http://localhost:${server.address().port}` });
  });
  process.on("SIGTERM", () => process.exit(0));
});
