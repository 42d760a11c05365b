/**
 * The client certificate of a request (RFC 8705 §2): of the connection on `MTLS_PORT`, or of the header of a trusted
 * proxy. Attack: a certificate in a header of a client, to which no private key was proven; so the header counts only
 * if the connection itself comes from a network of `TRUSTED_PROXIES` (RFC 9440 §4).
 */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Context } from "../context";
import { type ClientCertificate, clientCertificate, readForwardedCertificate } from "../protocol/client-certificate";
import type { Http } from "./env";
import { isTrustedProxy } from "./request";

export const clientCertificateOf = (ctx: Context, http: Http): ClientCertificate | undefined =>
  certificateOfConnection(ctx, http.env?.incoming?.socket, (name) => http.req.header(name));

/** Returns the certificate of a request that does not reach the application. */
export function certificateOfConnection(
  ctx: Context,
  socket: Socket | undefined,
  header: (name: string) => string | undefined,
): ClientCertificate | undefined {
  const { mtls } = ctx.config;
  // A proxy's own certificate is not its client's.
  if (isTrustedProxy(ctx, socket?.remoteAddress)) {
    const forwarded = header(mtls.header);
    return forwarded === undefined ? undefined : readForwardedCertificate(forwarded);
  }
  if (mtls.port === undefined || socket === undefined) return undefined;
  const { getPeerX509Certificate, authorized } = socket as Partial<TLSSocket>;
  const x509 = getPeerX509Certificate?.call(socket as TLSSocket);
  // Without TLS_CLIENT_CA_FILE no authority is trusted, not even those of the system.
  return x509 && clientCertificate(x509, authorized === true && mtls.caFile !== undefined);
}
