/** Requests as bytes, for requests that no HTTP client sends. */
import { once } from "node:events";
import net from "node:net";

/** A response as received. */
export interface RawAnswer {
  /** Undefined if the connection ended without a response. */
  status: number | undefined;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string;
}

/** A reset may arrive before the response and discard it; then the request is sent again, at most this often. */
const ATTEMPTS = 5;

/** Sends `request` on a new connection. Returns all responses until the service closed it. */
export async function sendRaw(baseUrl: string, ...request: string[]): Promise<RawAnswer[]> {
  let text = "";
  let reset = true;
  for (let attempt = 0; text === "" && reset && attempt < ATTEMPTS; attempt++) {
    reset = false;
    const socket = await connect(baseUrl);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {
      reset = true;
    });
    for (const part of request) socket.write(part, "latin1");
    // Not once(): it rejects if a reset comes first, and a rejection often ends in one (RFC 9112 §9.6).
    await new Promise((resolve) => socket.once("close", resolve));
  }
  return parseAnswers(text);
}

/** Opens a connection that survives errors: a rejection may arrive as a reset. */
export async function connect(baseUrl: string): Promise<net.Socket> {
  const { port } = new URL(baseUrl);
  const socket = net.connect({ port: Number(port), host: "127.0.0.1", noDelay: true }).setEncoding("latin1");
  await once(socket, "connect");
  socket.on("error", () => {});
  return socket;
}

/** Splits the data of one connection into responses; bodies are delimited by Content-Length or the end. */
function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end < 0 ? undefined : end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    const start = end < 0 ? rest.length : end + 4;
    const length = status < 200 || status === 304 ? 0 : Number(headers["content-length"] ?? rest.length - start);
    answers.push({
      status: Number.isNaN(status) ? undefined : status,
      headers,
      body: rest.slice(start, start + length),
    });
    rest = rest.slice(start + length);
  }
  return answers;
}
