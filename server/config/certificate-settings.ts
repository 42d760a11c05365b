/** The settings of client certificates (RFC 8705): the port that asks for them, and the header of proxies. */
import { type ConfigProblem, type Environment, problem } from "./environment";

/** Where clients show their certificates. */
export interface CertificateSettings {
  /** The port that asks for certificates; undefined if only proxies do. */
  port?: number;
  /** The base of the endpoints for clients with certificates; undefined if it is the service's own. */
  url?: string;
  /** The authorities that the service trusts itself. */
  caFile?: string;
  /** The header in which trusted proxies pass on a certificate, in lower case. */
  header: string;
}

/** @param baseUrl the base of the other endpoints */
export function toCertificateSettings(env: Environment, baseUrl: string): CertificateSettings {
  const { MTLS_PORT: port, MTLS_URL, TLS_CLIENT_CA_FILE: caFile, CLIENT_CERT_HEADER: header = "client-cert" } = env;
  const url = MTLS_URL ?? (port === undefined ? undefined : withPort(baseUrl, port));
  return { port, url, caFile, header };
}

/** Returns the address with another port, and without a slash at the end. */
function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href.replace(/\/$/, "");
}

/** Finds settings that have no effect without others. */
export function findNoCertificates(env: Environment): ConfigProblem[] {
  const { MTLS_PORT: port, MTLS_URL, PORT = 8080, GRPC_PORT } = env;
  const wrong: [boolean, Parameters<typeof problem>][] = [
    [
      port !== undefined && !env.TLS_CERT_FILE,
      ["MTLS_PORT", "requires TLS_CERT_FILE; a proxy passes certificates on in CLIENT_CERT_HEADER"],
    ],
    [port !== undefined && [PORT, GRPC_PORT].includes(port), ["MTLS_PORT", "must differ from PORT and GRPC_PORT"]],
    [
      env.TLS_CLIENT_CA_FILE !== undefined && port === undefined,
      ["TLS_CLIENT_CA_FILE", "requires MTLS_PORT; a proxy verifies certificates itself"],
    ],
    [
      MTLS_URL?.startsWith("http:") === true && !env.ALLOW_INSECURE_HTTP,
      ["MTLS_URL", "must be https: there are no certificates without TLS"],
    ],
  ];
  return wrong.flatMap(([is, reason]) => (is ? [problem(...reason)] : []));
}
