/** The members of client metadata that say how a client identifies itself by certificate, and users by subjects. */
import type { MetadataReader } from "./metadata-reader";
import type { OidcSettings } from "./settings";

/** The name of a client's certificate: one, with tls_client_auth alone (RFC 8705 §2.1.2). */
export const CERTIFICATE_NAMES = {
  tls_client_auth_subject_dn: "tlsClientAuthSubjectDn",
  tls_client_auth_san_dns: "tlsClientAuthSanDns",
  tls_client_auth_san_uri: "tlsClientAuthSanUri",
  tls_client_auth_san_ip: "tlsClientAuthSanIp",
  tls_client_auth_san_email: "tlsClientAuthSanEmail",
} as const;

export function readCertificateName(reader: MetadataReader, method: string): OidcSettings {
  const given = Object.entries(CERTIFICATE_NAMES).filter(([member]) => reader.has(member));
  const [[member = "tls_client_auth_subject_dn"] = [], another] = given;
  const expected = method === "tls_client_auth" ? 1 : 0;
  if (another) reader.refuse(another[0], `and ${member} exclude each other`);
  else if (given.length < expected) reader.refuse(member, "or another name is required with tls_client_auth");
  else if (given.length > expected) reader.refuse(member, "needs token_endpoint_auth_method tls_client_auth");
  return Object.fromEntries(given.map(([name, setting]) => [setting, reader.text(name, 1_000)]));
}

/** The sector of a document is its own host, which no other client can claim. */
export function readSubjects(reader: MetadataReader, documentAddress: string | undefined): OidcSettings {
  const uri = reader.address("sector_identifier_uri");
  if (uri !== undefined && !uri.startsWith("https:")) reader.refuse("sector_identifier_uri", "must use https");
  const isPairwise = reader.oneOf("subject_type", ["public", "pairwise"]) === "pairwise";
  const sectorIdentifierUri = isPairwise ? (documentAddress ?? uri) : uri;
  return {
    ...(isPairwise && { subjectType: "SUBJECT_TYPE_PAIRWISE" }),
    ...(sectorIdentifierUri !== undefined && { sectorIdentifierUri }),
  };
}
