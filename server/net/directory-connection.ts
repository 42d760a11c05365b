/**
 * One connection to an LDAP directory that an administrator named. The name is resolved once, all of its addresses must
 * be permitted, and the connection goes to the address that was checked. Time and received bytes are bounded. The
 * connection is never opened a second time: after StartTLS that would send the password without TLS (attack: a
 * connection that is cut between StartTLS and bind).
 */
import net from "node:net";
import tls from "node:tls";
import { Client, ResultCodeError } from "ldapts";
import { partSpan } from "../tracing/span";
import { type NameResolver, systemResolver } from "./name-resolver";

/** Bytes; a user in thousands of groups has some hundred thousand. */
const MAX_BYTES = 1_000_000;

export interface DirectoryServer {
  url: URL;
  startTls: boolean;
  /** PEM certificates to trust instead of the system's. */
  rootCa?: string;
  /** Milliseconds for everything. */
  timeout: number;
  isPermitted(address: string): boolean;
  resolve?: NameResolver["addresses"];
}

/** Thrown if this server gives no answer, so that the next one is asked. */
export class NoDirectory extends Error {}

/** Connects, runs the work, and disconnects. Rejects with `NoDirectory` if there is no connection in time. */
export function withDirectory<T>(server: DirectoryServer, work: (client: Client) => Promise<T>): Promise<T> {
  return partSpan(
    "LDAP",
    () => connectAndWork(server, work),
    () => ({ attributes: { "server.address": server.url.hostname }, isCall: true }),
  );
}

async function connectAndWork<T>(server: DirectoryServer, work: (client: Client) => Promise<T>): Promise<T> {
  const { url, startTls, rootCa, timeout, isPermitted, resolve = systemResolver.addresses } = server;
  const isTls = url.protocol === "ldaps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const sockets: net.Socket[] = [];
  let timer: NodeJS.Timeout | undefined;
  let end: (error: Error) => void = () => {};
  const over = new Promise<never>((_, reject) => {
    end = reject;
    timer = setTimeout(() => reject(new NoDirectory(`no answer within ${timeout / 1_000} s`)), timeout);
  });
  const connect = async () => {
    const addresses = await resolve(host).catch(() => []);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPermitted(address))) {
      throw new NoDirectory("the name has no permitted address");
    }
    const limited = <Socket extends net.Socket>(socket: Socket): Socket => {
      sockets.push(socket);
      socket.once("close", () => end(new NoDirectory("the connection was closed")));
      let size = 0;
      socket.once(socket instanceof tls.TLSSocket ? "secureConnect" : "connect", () =>
        socket.on("data", ({ length }: Buffer) => {
          size += length;
          if (size > MAX_BYTES) socket.destroy(new Error("the answer is too large"));
        }),
      );
      return socket;
    };
    const once = () => {
      if (sockets.length > 0) throw new NoDirectory("the connection was closed");
    };
    // An address that is not a name is compared with those in the certificate.
    const secured = { host: first.address, servername: net.isIP(host) === 0 ? host : undefined, ca: rootCa };
    const client = new Client({
      url: `${url.protocol}//${url.host}`,
      createConnection: ((port: number) => {
        once();
        return limited(net.connect({ port, host: first.address }));
      }) as typeof net.connect,
      createSecureConnection: ((at: number | tls.ConnectionOptions) => {
        if (typeof at !== "number") {
          at.socket?.removeAllListeners("data");
          return limited(tls.connect({ ...at, ...secured }));
        }
        once();
        return limited(tls.connect({ port: at, ...secured }));
      }) as typeof tls.connect,
    });
    if (!isTls && startTls) await client.startTLS();
    return work(client);
  };
  try {
    return await Promise.race([connect(), over]);
  } catch (error) {
    throw error instanceof ResultCodeError || error instanceof NoDirectory ? error : new NoDirectory(describe(error));
  } finally {
    clearTimeout(timer);
    for (const socket of sockets) socket.on("error", () => {}).destroy();
  }
}

/** Describes an error without repeating anything that was received. */
function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message.split("\n")[0]?.slice(0, 200) ?? "unforeseen";
  return /CERT|SIGNATURE|ISSUER/.test(code) ? `its certificate is not trusted (${code})` : `no connection (${code})`;
}
