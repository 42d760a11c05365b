/**
 * Members of client metadata that this service does not support. Ignoring them would mislead the client, so they are
 * refused by their name, unless their value asks for what is done anyway (rule REGISTER-3). When a capability is added,
 * its members move from here to client-metadata.ts.
 */
import { invalidClientMetadata, type OAuthError, unapprovedSoftwareStatement } from "../../protocol/oauth-error";

/** Members that only concern services with the capability: a document, which is written for many, may have them. */
const OF_OTHERS = [
  "default_acr_values",
  "backchannel_token_delivery_mode",
  "backchannel_client_notification_endpoint",
  "backchannel_authentication_request_signing_alg",
  "backchannel_user_code_parameter",
] as const;

/** Members by which a client expects its tokens to be protected. */
const PROTECTING = [
  "id_token_encrypted_response_alg",
  "id_token_encrypted_response_enc",
  "userinfo_encrypted_response_alg",
  "userinfo_encrypted_response_enc",
  "request_object_encryption_alg",
  "request_object_encryption_enc",
  "authorization_encrypted_response_alg",
  "authorization_encrypted_response_enc",
  "introspection_encrypted_response_alg",
  "introspection_encrypted_response_enc",
  "authorization_details_types",
] as const;

/** Documents are public and cannot contain a secret (draft -02 §4.1). */
const SECRETS = ["client_secret", "client_secret_expires_at"] as const;

/** Returns the error for the first member that is not supported. */
export function refusedMember(
  given: Readonly<Record<string, unknown>>,
  source: "registration" | "document",
): OAuthError | undefined {
  const isDocument = source === "document";
  const secret = isDocument ? SECRETS.find((member) => Object.hasOwn(given, member)) : undefined;
  if (secret) return invalidClientMetadata(`${secret} must not be in a document, which everyone can read`);
  if (!isDocument && asks(given.software_statement)) {
    return unapprovedSoftwareStatement("software_statement is not supported");
  }
  const refused = [...PROTECTING, ...(isDocument ? [] : OF_OTHERS)].find((member) => asks(given[member]));
  return refused && invalidClientMetadata(`${refused} is not supported`);
}

const asks = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
