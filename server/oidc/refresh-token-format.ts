/**
 * Refresh tokens without a row of their own: the id of a grant and a generation, with our MAC. The grant stores the
 * current generation. An older one presented again has been copied, so the whole family ends (RFC 9700 §4.14.2, RFC
 * 6819 §5.2.2.3). Within a short grace period a repeat gets the same successor, because the response to a rotation can
 * get lost.
 */
import { parse as uuidBytes, stringify as uuidText } from "uuid";
import type { Context } from "../context";

/**
 * The size of the MAC in bytes. A token is the MAC, the grant's UUID and the generation as a 32-bit number, in
 * base64url.
 */
const MAC_BYTES = 32;
const GRANT_BYTES = 16;
const GENERATION_BYTES = 4;
const LENGTH = MAC_BYTES + GRANT_BYTES + GENERATION_BYTES;

export interface RefreshToken {
  grantId: string;
  generation: number;
}

/** Returns the refresh token of a generation of a grant; the result is deterministic. */
export function refreshTokenOf(ctx: Context, { grantId, generation }: RefreshToken): string {
  const message = Buffer.alloc(GRANT_BYTES + GENERATION_BYTES);
  message.set(uuidBytes(grantId));
  message.writeUInt32BE(generation, GRANT_BYTES);
  return Buffer.concat([ctx.secrets.mac("refresh-token", message), message]).toString("base64url");
}

/** Returns the content of a refresh token, or undefined if this service did not make it. */
export function openRefreshToken(ctx: Context, token: string): RefreshToken | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== LENGTH || bytes.toString("base64url") !== token) return undefined;
  const message = bytes.subarray(MAC_BYTES);
  if (!ctx.secrets.verifyMac("refresh-token", message, bytes.subarray(0, MAC_BYTES))) return undefined;
  return { grantId: uuidText(message.subarray(0, GRANT_BYTES)), generation: message.readUInt32BE(GRANT_BYTES) };
}
