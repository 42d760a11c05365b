// Sends one request and returns its result as a value: a drill expects requests to fail and counts the failures.
import { Agent, request } from "node:http";

/** Milliseconds after which a request counts as unanswered: longer than any timeout of the service. */
const PATIENCE = 40_000;

export const basic = ({ id, secret }) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

/** The connections of the drill's clients, kept alive as those of a browser or a library. */
export const createAgent = () => new Agent({ keepAlive: true });

/**
 * Sends a request. Never rejects. `failure` is the code of a broken connection, such as ECONNRESET, and undefined for
 * a response.
 * @param {{ agent?: Agent, url: string, method?: string, headers?: Record<string, string>, form?: object, json?:
 *   object }} what
 * @returns {Promise<{ status: number, headers: object, text: string, failure?: string }>}
 */
export function ask({ agent, url, method, headers = {}, form, json }) {
  const [type, body] = bodyOf(form, json);
  const sent = { ...headers };
  if (body !== undefined) Object.assign(sent, { "content-type": type, "content-length": Buffer.byteLength(body) });
  return new Promise((resolve) => {
    const broken = (error) => resolve({ status: 0, headers: {}, text: "", failure: error.code ?? error.message });
    const options = { agent, method: method ?? (body === undefined ? "GET" : "POST"), headers: sent };
    const outgoing = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", broken);
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    outgoing.setTimeout(PATIENCE, () => outgoing.destroy(Object.assign(new Error("silence"), { code: "SILENCE" })));
    outgoing.on("error", broken);
    outgoing.end(body);
  });
}

function bodyOf(form, json) {
  if (form) return ["application/x-www-form-urlencoded", new URLSearchParams(form).toString()];
  if (json) return ["application/json", JSON.stringify(json)];
  return [];
}
