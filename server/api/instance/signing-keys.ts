/** Lists and rotates the keys that sign tokens, and removes leaked ones. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import { createSigningKey } from "../../keys/create-signing-key";
import { removeSigningKey } from "../../keys/remove-signing-key";
import { activateKey, requestRotation } from "../../keys/request-rotation";
import { type KeyState, listSigningKeys } from "../../keys/signing-keys";
import { type ApiError, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import { type SigningAlgorithm, signingAlgorithms } from "../../protocol/client";
import { changedAnswer } from "../operation/answers";
import { operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";

const STATES = { next: "STATE_INITIAL", active: "STATE_ACTIVE", retired: "STATE_INACTIVE" } as const;
const algorithm = z.enum(signingAlgorithms);

const webKey = z
  .object({
    id: z.string().meta({ description: "The `kid` of the tokens it signs" }),
    algorithm,
    state: z.enum(["STATE_INITIAL", "STATE_ACTIVE", "STATE_INACTIVE"]).meta({
      description: "Published and waiting; signing; or superseded and published until its last token has expired",
    }),
    creationDate: timestamp,
    changeDate: timestamp.meta({ description: "When it became active, or was made" }),
    activationDate: timestamp.optional().meta({ description: "When it begins to sign; left out while it waits" }),
    removalDate: timestamp.optional().meta({ description: "When it leaves the key set" }),
    rsa: z
      .object({
        bits: z.literal("RSA_BITS_2048"),
        hasher: z.literal("RSA_HASHER_SHA256"),
        padding: z.literal("RSA_PADDING_PSS").optional(),
      })
      .optional(),
    ecdsa: z.object({ curve: z.literal("ECDSA_CURVE_P256") }).optional(),
    ed25519: z.object({}).optional(),
  })
  .meta({ id: "WebKey" });

/** The kinds of keys, by their names in the request that creates one. */
const KINDS = {
  RS256: { rsa: { bits: "RSA_BITS_2048", hasher: "RSA_HASHER_SHA256" } },
  ES256: { ecdsa: { curve: "ECDSA_CURVE_P256" } },
  EdDSA: { ed25519: {} },
  PS256: { rsa: { bits: "RSA_BITS_2048", hasher: "RSA_HASHER_SHA256", padding: "RSA_PADDING_PSS" } },
} as const satisfies Record<SigningAlgorithm, object>;

const wanted = strict({
  rsa: strict({
    bits: z.enum(["RSA_BITS_UNSPECIFIED", "RSA_BITS_2048"]).optional(),
    hasher: z.enum(["RSA_HASHER_UNSPECIFIED", "RSA_HASHER_SHA256"]).optional(),
    padding: z.enum(["RSA_PADDING_UNSPECIFIED", "RSA_PADDING_PSS"]).optional(),
  }).optional(),
  ecdsa: strict({ curve: z.enum(["ECDSA_CURVE_UNSPECIFIED", "ECDSA_CURVE_P256"]).optional() }).optional(),
  ed25519: strict({}).optional(),
});

/** One of them; RSA if none is named. */
function algorithmOf({ rsa, ecdsa, ed25519 }: z.output<typeof wanted>): SigningAlgorithm | ApiError {
  if ([rsa, ecdsa, ed25519].filter((kind) => kind !== undefined).length > 1) {
    return invalidArgument("web_key.one_kind", "Send one kind of key: rsa, ecdsa or ed25519.", {
      field: rsa && ecdsa ? "ecdsa" : "ed25519",
    });
  }
  if (ecdsa) return "ES256";
  if (ed25519) return "EdDSA";
  return rsa?.padding === "RSA_PADDING_PSS" ? "PS256" : "RS256";
}

function toWebKey(
  { kid, algorithm, state, createdAt, activeFrom, removeAt }: KeyState,
  now: number,
): z.input<typeof webKey> {
  const changedAt = activeFrom !== null && activeFrom <= now ? Math.max(createdAt, activeFrom) : createdAt;
  return {
    id: kid,
    algorithm: algorithm as z.input<typeof webKey>["algorithm"],
    state: STATES[state],
    creationDate: new Date(createdAt).toISOString(),
    changeDate: new Date(changedAt).toISOString(),
    ...(activeFrom !== null && { activationDate: new Date(activeFrom).toISOString() }),
    ...(removeAt !== null && { removalDate: new Date(removeAt).toISOString() }),
    ...KINDS[algorithm as SigningAlgorithm],
  };
}

const tag = "Signing keys";
const noSuchKey = () => notFound("web_key.not_found", "This key does not exist. List the keys to find its ID.");

export const keyOperations = [
  operation("ListWebKeys", "GET /v2/web_keys", {
    aliases: ["/v2beta/web_keys"],
    tag,
    summary: "List the keys of the key set, oldest first",
    scope: { level: "instance", permission: "iam.web_key.read" },
    answer: z.object({ webKeys: z.array(webKey) }),
    async handle(ctx) {
      return { webKeys: (await listSigningKeys(ctx)).map((key) => toWebKey(key, ctx.clock())) };
    },
  }),
  operation("CreateWebKey", "POST /v2/web_keys", {
    aliases: ["/v2beta/web_keys"],
    tag,
    summary: "Publish a standby key",
    description:
      "Exactly one kind may be given; the default is RSA. A rotation activates the key that has waited longest.",
    scope: { level: "instance", permission: "iam.web_key.write" },
    body: wanted,
    bodyIsOptional: true,
    answer: z.object({ id: z.string(), creationDate: timestamp, details }),
    async handle(ctx, { body }) {
      const algorithm = algorithmOf(body);
      if (isApiError(algorithm)) return algorithm;
      const made = await createSigningKey(ctx, algorithm);
      if (isApiError(made)) return made;
      const { id } = await findInstance(ctx);
      const creationDate = new Date(made.createdAt).toISOString();
      return { id: made.kid, creationDate, ...(await changedAnswer(ctx, "instance", id)) };
    },
  }),
  operation("ActivateWebKey", "POST /v2/web_keys/:webKeyId/activate", {
    aliases: ["/v2beta/web_keys/:webKeyId/activate"],
    tag,
    summary: "Activate a standby key: it signs as soon as every cache has it",
    description:
      "The key of the same algorithm that signs now stays published until the last token it signed has expired. " +
      "The new key signs from `activationDate` on: ten minutes after it was published, or immediately. No one is signed out.",
    scope: { level: "instance", permission: "iam.web_key.write" },
    answer: z.object({ activationDate: timestamp, changeDate: timestamp, details }),
    async handle(ctx, { parameters }) {
      const next = await activateKey(ctx, parameters.webKeyId ?? "");
      if (isApiError(next)) return next;
      const { id } = await findInstance(ctx);
      const changed = await changedAnswer(ctx, "instance", id);
      const activationDate = new Date(next.activeFrom).toISOString();
      return { activationDate, changeDate: changed.details.changeDate, ...changed };
    },
  }),
  operation("RotateWebKey", "POST /v2/web_keys/_rotate", {
    tag,
    summary: "Rotate the signing keys: the standby key signs as soon as every cache has it",
    description:
      "The key that signs now stays published until the last token it signed has expired. No one is signed out.",
    scope: { level: "instance", permission: "iam.web_key.write" },
    body: strict({ algorithm: algorithm.optional() }),
    bodyIsOptional: true,
    answer: z.object({ id: z.string(), activationDate: timestamp, details }),
    async handle(ctx, { body: { algorithm = "RS256" } }) {
      const next = await requestRotation(ctx, algorithm);
      if (isApiError(next)) return next;
      const { id } = await findInstance(ctx);
      const activationDate = new Date(next.activeFrom).toISOString();
      return { id: next.kid, activationDate, ...(await changedAnswer(ctx, "instance", id)) };
    },
  }),
  operation("DeleteWebKey", "DELETE /v2/web_keys/:webKeyId", {
    aliases: ["/v2beta/web_keys/:webKeyId"],
    tag,
    summary: "Remove a key that may have leaked",
    description:
      "For emergencies only: tokens signed with the key are no longer valid, and apps that cache the key set fail until they fetch it again. " +
      "Another key signs from that moment on. Otherwise, rotate the keys.",
    scope: { level: "instance", permission: "iam.web_key.delete" },
    answer: z.object({
      details,
      deletionDate: timestamp,
      activeKeyId: z.string().meta({ description: "The key of the same algorithm that signs from now on" }),
      consequence: z.string(),
    }),
    async handle(ctx, { parameters }) {
      const removed = await removeSigningKey(ctx, parameters.webKeyId ?? "");
      if (!removed) return noSuchKey();
      const { id } = await findInstance(ctx);
      const changed = await changedAnswer(ctx, "instance", id);
      return {
        ...changed,
        deletionDate: changed.details.changeDate,
        activeKeyId: removed.activeKeyId,
        consequence: "Tokens it signed do not verify any more; apps may fail until they fetch the key set again.",
      };
    },
  }),
];
