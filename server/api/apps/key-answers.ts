/** The keys of apps and machines in requests and answers. */
import { z } from "zod";
import { identifier } from "../../directory/fields";
import { instant, pemKey } from "../../directory/key-fields";
import type { WantedKey } from "../../directory/new-key";
import { timestamp } from "../operation/schemas";

const keyType = z.enum(["KEY_TYPE_JSON"]);

/** The members of a key in answers. */
export const keyShape = {
  id: z.string().meta({ description: "The `kid` of the tokens it signs" }),
  type: keyType,
  algorithm: z.string().meta({ example: "RSA", description: "RSA or the curve" }),
  creationDate: timestamp,
  expirationDate: timestamp.optional(),
};

interface ListedKey {
  id: string;
  publicJwk: { kty?: string; crv?: string };
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds; null if it does not expire. */
  expiresAt: number | null;
}

export function toKey({ id, publicJwk, createdAt, expiresAt }: ListedKey): z.input<z.ZodObject<typeof keyShape>> {
  return {
    id,
    type: "KEY_TYPE_JSON",
    algorithm: publicJwk.crv ?? publicJwk.kty ?? "",
    creationDate: new Date(createdAt).toISOString(),
    ...(expiresAt !== null && { expirationDate: new Date(expiresAt).toISOString() }),
  };
}

/** The members of a request for another key. */
export const newKeyShape = {
  type: keyType,
  expirationDate: instant.optional(),
  publicKey: pemKey.optional(),
  keyId: identifier.optional(),
};

export function toWantedKey(body: z.output<z.ZodObject<typeof newKeyShape>>): WantedKey {
  const { expirationDate: expiresAt, publicKey, keyId } = body;
  return { expiresAt, publicKey, keyId };
}

export const keyDetails = z
  .string()
  .optional()
  .meta({ description: "The key file in base64: JSON with the private key" });
