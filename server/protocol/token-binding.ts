/**
 * What a token is bound to: the key of DPoP proofs (RFC 9449 §6) and the certificate of the client (RFC 8705 §3), as
 * one text: the thumbprint of the key, or `x5t#S256:` and that of the certificate, or both with a space between them.
 * Tokens that are not bound have no such text.
 */

const CERTIFICATE = "x5t#S256:";

/** The members of `cnf` (RFC 7800 §3.1). */
export interface Confirmation {
  jkt?: string;
  "x5t#S256"?: string;
}

/** Returns the binding of a new token; undefined if it is bound to nothing. */
export function bindingTo(jkt: string | undefined, certificate: string | undefined): string | undefined {
  if (certificate === undefined) return jkt;
  return jkt === undefined ? CERTIFICATE + certificate : `${jkt} ${CERTIFICATE}${certificate}`;
}

/** Returns the `cnf` of a binding; undefined if the token is not bound. */
export function confirmationOf(binding: string | null): Confirmation | undefined {
  if (binding === null) return undefined;
  const confirmation: Confirmation = {};
  for (const part of binding.split(" ")) {
    if (part.startsWith(CERTIFICATE)) confirmation["x5t#S256"] = part.slice(CERTIFICATE.length);
    else confirmation.jkt = part;
  }
  return confirmation;
}

/** Whether a request proves everything that a grant is bound to. @param proven the binding of its new token */
export function provesBinding(bound: string | null, proven: string | undefined): boolean {
  const parts = proven?.split(" ") ?? [];
  return bound === null || bound.split(" ").every((part) => parts.includes(part));
}

/** Returns the type of a token with this binding (RFC 9449 §5, RFC 8705 §3). */
export const tokenTypeOf = (binding: string | null): "Bearer" | "DPoP" =>
  confirmationOf(binding)?.jkt === undefined ? "Bearer" : "DPoP";
