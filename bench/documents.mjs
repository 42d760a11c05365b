// A host of one client metadata document (draft-ietf-oauth-client-id-metadata-document-02) on this machine.
import { createPrivateKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A self-signed certificate of localhost, valid until 2126, with its key. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQX2wm/H7lqVL/nQqo1rig2NLlTUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAxMDAxOVoYDzIxMjYxMDI4
MDEwMDE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR//SbB0tS7wyHtDWX/iGemP6CxfsfZpAg/dFAnx4P2hPAKuyFSMMYY
TPsMfe5TBAnVnuVhjdlP4qqJEre4DaDto28wbTAdBgNVHQ4EFgQUZr4q6ugmZupv
C4SZZGU2YpCyg7UwHwYDVR0jBBgwFoAUZr4q6ugmZupvC4SZZGU2YpCyg7UwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgMpzBM7OZrRnhDIFy4xl43IFkZvvhOc5hlTU4YfNMnhQCIQC6
+zc2TXkrq8x5se/Qo83tPREbVUdNN1ZgGXts9HrXlg==
-----END CERTIFICATE-----
`;
const KEY = {
  kty: "EC",
  crv: "P-256",
  d: "VfySIR0_-A_GfrE7WwWLnsKpt6n2vcY4B81UPRIkow0",
  x: "f_0mwdLUu8Mh7Q1l_4hnpj-gsX7H2aQIP3RQJ8eD9oQ",
  y: "8Aq7IVIwxhhM-wx97lMECdWe5WGN2U_iqokSt7gNoO0",
};

/**
 * Starts the host.
 * @param {string} redirectUri of the client
 * @returns {Promise<{ clientId: string, certificate: string, stop: () => void }>} `certificate`: the file of the one
 *   that the service has to trust (NODE_EXTRA_CA_CERTS)
 */
export async function startDocuments(redirectUri) {
  const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });
  const server = https.createServer({ cert: CERTIFICATE, key }, (_, response) => {
    const document = {
      client_id: clientId,
      client_name: "Bench",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      token_endpoint_auth_method: "none",
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const clientId = `https://localhost:${server.address().port}/client`;
  const certificate = join(tmpdir(), `bench-documents-${process.pid}.pem`);
  writeFileSync(certificate, CERTIFICATE);
  return { clientId, certificate, stop: () => server.close() };
}
