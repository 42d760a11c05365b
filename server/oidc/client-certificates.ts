/** Client authentication with a certificate (RFC 8705 §2), by its name or by its key. */
import type { Context } from "../context";
import type { Client, ClientAuthenticationMethod } from "../protocol/client";
import { type ClientCertificate, hasCertificateName, isInPeriod } from "../protocol/client-certificate";
import { publishesKey } from "./published-keys";

/** Whether a method is one of RFC 8705. */
export const isCertificateMethod = (method: ClientAuthenticationMethod): boolean =>
  method === "tls_client_auth" || method === "self_signed_tls_client_auth";

/** Returns why the certificate does not authenticate the client, for the log; undefined if it does. */
export async function certificateProblem(
  ctx: Context,
  client: Client,
  certificate: ClientCertificate,
): Promise<string | undefined> {
  if (!isInPeriod(certificate, ctx.clock())) return "the client certificate has expired or is not valid yet";
  if (client.authenticationMethod === "self_signed_tls_client_auth") {
    const isRegistered = await publishesKey(ctx, client, certificate.x509.publicKey);
    return isRegistered ? undefined : "the key of the client certificate is not one of the app";
  }
  if (!certificate.isVerified) return "the authority of the client certificate is not trusted";
  if (client.certificateName === undefined) return "the app has no name of a certificate, or several";
  return hasCertificateName(certificate, client.certificateName)
    ? undefined
    : "the client certificate has another name";
}
