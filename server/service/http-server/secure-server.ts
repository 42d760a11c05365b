/**
 * The server for TLS in the service: HTTP/2 and HTTP/1.1 by ALPN, with secure TLS only: 1.3, and 1.2 with ephemeral
 * keys and authenticated encryption (RFC 9325 §4.2, FAPI 2.0 §5.2.2). Attacks: recorded traffic that is decrypted with
 * a key stolen later (RSA key exchange), padding oracles (CBC).
 */
import type http from "node:http";
import http2 from "node:http2";
import { isLoopback } from "../../config/value-parsers";
import { limitHttp2 } from "./http2-limits";
import type { Limits } from "./one-port";

/** Cipher suites by their OpenSSL names; the first three are those of TLS 1.3. */
const SUITES = [
  ...["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"],
  ...["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384"],
  ...["ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"],
];

export interface SecureFiles {
  /** The certificate and its key, in PEM. */
  cert: string | Buffer;
  key: string | Buffer;
  /**
   * Whether clients are asked for certificates, which are optional, and the authorities to verify them with, in PEM;
   * without any, no certificate counts as verified.
   */
  clients?: { ca: string | Buffer | undefined };
}

export function createSecureServer(
  { clients, ...files }: SecureFiles,
  limits: Limits,
  listener: http.RequestListener,
): http2.Http2SecureServer {
  const handler = listener as unknown as (
    request: http2.Http2ServerRequest,
    response: http2.Http2ServerResponse,
  ) => void;
  const tls = { minVersion: "TLSv1.2", ciphers: SUITES.join(":"), honorCipherOrder: true } as const;
  const asking = clients && { requestCert: true, rejectUnauthorized: false, ca: clients.ca ?? [] };
  const options = { ...files, ...tls, ...asking, ...limits, handshakeTimeout: limits.headersTimeout, allowHTTP1: true };
  const server = http2.createSecureServer(options, handler);
  limitHttp2(server, limits);
  return server;
}

/**
 * Returns the Strict-Transport-Security header of every response: a year, if the service is used by https (RFC 6797
 * §7.2). Undefined for a loopback address, which other programs of the same user may serve without TLS later.
 */
export function strictTransport({ baseUrl }: { baseUrl: string }): string | undefined {
  return baseUrl.startsWith("https:") && !isLoopback(baseUrl) ? "max-age=31536000" : undefined;
}
