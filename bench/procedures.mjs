// The processor time of remote procedures, compared to that of the same operations by REST.
import http from "node:http";
import http2 from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { GetMyOrgRequestSchema } from "@zitadel/proto/zitadel/management_pb.js";
import { ListUsersRequestSchema } from "@zitadel/proto/zitadel/user/v2/user_service_pb.js";
import { threadTimes } from "./accounting.mjs";
import { adminToken } from "./texts.mjs";

const REQUESTS = 600;
const CONCURRENT = 16;
const ROUNDS = 5;
const TEXTS = "/service.management.v1.ManagementService";

/** Operations, by REST and as a procedure whose message is given in JSON and in binary. */
const OPERATIONS = {
  "reads a text": {
    rest: ["GET", "/management/v1/text/message/password_change/en"],
    path: `${TEXTS}/GetCustomPasswordChangeMessageText`,
    json: { language: "en" },
    binary: Buffer.from([10, 2, 101, 110]),
  },
  "sets a text": {
    rest: ["PUT", "/management/v1/text/message/password_change/en", { subject: "Hello" }],
    path: `${TEXTS}/SetCustomPasswordChangeMessageCustomText`,
    json: { language: "en", subject: "Hello" },
    binary: Buffer.from("\x0a\x02en\x1a\x05Hello", "latin1"),
  },
  "reads the organization": {
    rest: ["GET", "/management/v1/orgs/me"],
    path: "/zitadel.management.v1.ManagementService/GetMyOrg",
    json: {},
    binary: toBinary(GetMyOrgRequestSchema, create(GetMyOrgRequestSchema)),
  },
  "searches users": {
    rest: ["POST", "/v2/users", { query: { limit: 5 } }],
    path: "/zitadel.user.v2.UserService/ListUsers",
    json: { query: { limit: 5 } },
    binary: toBinary(ListUsersRequestSchema, create(ListUsersRequestSchema, { query: { limit: 5 } })),
  },
};

/** The ways to call an operation; `twin` is the one by REST that the processor time is compared to. */
function waysOf({ rest: [method, restPath, restBody], path, json, binary }) {
  const posted = (type, body, more) => ({ method: "POST", path, headers: { "content-type": type, ...more }, body });
  const body = restBody && Buffer.from(JSON.stringify(restBody));
  const rest = { method, path: restPath, headers: body && { "content-type": "application/json" }, body };
  return {
    REST: { ...rest, send: byHttp1 },
    Connect: { ...posted("application/proto", binary), send: byHttp1, twin: "REST" },
    "Connect in JSON": {
      ...posted("application/json", Buffer.from(JSON.stringify(json))),
      send: byHttp1,
      twin: "REST",
    },
    "gRPC-Web": { ...posted("application/grpc-web+proto", encodeEnvelope(0, binary)), send: byHttp1, twin: "REST" },
    "REST over HTTP/2": { ...rest, send: byHttp2 },
    gRPC: {
      ...posted("application/grpc", encodeEnvelope(0, binary), { te: "trailers" }),
      send: byHttp2,
      twin: "REST over HTTP/2",
    },
  };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENT });

function byHttp1(issuer, { method, path, headers, body = Buffer.alloc(0) }) {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, "content-length": body.length };
    const request = http.request(issuer + path, { agent, method, headers: sent }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, grpcStatus: "0", body: Buffer.concat(chunks) });
    });
    request.on("error", reject);
    request.end(body);
  });
}

let session;
function byHttp2(issuer, { method, path, headers, body }) {
  if (!session || session.closed) session = http2.connect(issuer).on("error", () => {});
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":method": method, ":path": path, ...headers }, { endStream: !body });
    const answer = { grpcStatus: "0" };
    const note = (received) => {
      answer.status ??= received[":status"];
      answer.grpcStatus = received["grpc-status"] ?? answer.grpcStatus;
    };
    const chunks = [];
    stream.on("response", note).on("trailers", note).on("error", reject);
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("end", () => resolve({ ...answer, body: Buffer.concat(chunks) }));
    if (body) stream.end(body);
  });
}

/** Returns the processor time of the server per request, in milliseconds. */
async function costOf({ issuer, pid }, { send, ...request }, count) {
  const taken = () => Object.values(threadTimes(pid)).reduce((sum, time) => sum + time, 0);
  const before = taken();
  let left = count;
  const one = async () => {
    while (left-- > 0) {
      const { status, grpcStatus, body } = await send(issuer, request);
      if (status !== 200 || grpcStatus !== "0") throw new Error(`${request.path}: ${status} ${grpcStatus} ${body}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, one));
  return (taken() - before) / count;
}

const medianOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Measures and prints. All ways take turns, because other load affects the processor time as well. */
export async function measureProcedures(server) {
  const authorization = `Bearer ${await adminToken(server)}`;
  for (const [what, operation] of Object.entries(OPERATIONS)) {
    const ways = Object.entries(waysOf(operation)).map(([name, way]) => {
      return { name, twin: way.twin, costs: [], way: { ...way, headers: { authorization, ...way.headers } } };
    });
    for (const { way } of ways) await costOf(server, way, REQUESTS); // so that V8 compiles it
    for (let round = 0; round < ROUNDS; round++) {
      for (const { way, costs } of round % 2 ? ways.toReversed() : ways)
        costs.push(await costOf(server, way, REQUESTS));
    }
    const costs = Object.fromEntries(ways.map(({ name, costs: all }) => [name, medianOf(all)]));
    const shown = ways.map(({ name, twin }) => {
      const times = twin ? ` (${(costs[name] / costs[twin]).toFixed(2)} ×)` : "";
      return `${name} ${costs[name].toFixed(3)} ms${times}`;
    });
    console.log(`\nProcessor time of a request that ${what}: ${shown.join(", ")}`);
  }
  session?.destroy();
  agent.destroy();
}
