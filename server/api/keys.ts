/** The keys that sign tokens: listed, rotated, and in an emergency removed. */
import { z } from "zod";
import { strict } from "../directory/fields";
import { findInstance } from "../directory/instance";
import { removeSigningKey } from "../keys/remove-signing-key";
import { requestRotation } from "../keys/request-rotation";
import { type KeyState, listSigningKeys } from "../keys/signing-keys";
import { isApiError, notFound } from "../protocol/api-error";
import { signingAlgorithms } from "../protocol/client";
import { changedAnswer } from "./answers";
import { operation } from "./operation";
import { details, timestamp } from "./schemas";

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
    activationDate: timestamp.optional().meta({ description: "When it begins to sign; left out while it waits" }),
    removalDate: timestamp.optional().meta({ description: "When it leaves the key set" }),
  })
  .meta({ id: "WebKey" });

function toWebKey({ kid, algorithm, state, createdAt, activeFrom, removeAt }: KeyState): z.input<typeof webKey> {
  return {
    id: kid,
    algorithm: algorithm as z.input<typeof webKey>["algorithm"],
    state: STATES[state],
    creationDate: new Date(createdAt).toISOString(),
    ...(activeFrom !== null && { activationDate: new Date(activeFrom).toISOString() }),
    ...(removeAt !== null && { removalDate: new Date(removeAt).toISOString() }),
  };
}

const tag = "Signing keys";
const noSuchKey = () => notFound("web_key.not_found", "There is no such key.");

export const keyOperations = [
  operation({
    id: "ListWebKeys",
    method: "GET",
    path: "/v2/web_keys",
    tag,
    summary: "List the keys of the key set, oldest first",
    scope: { level: "instance", permission: "iam.web_key.read" },
    answer: z.object({ webKeys: z.array(webKey) }),
    async handle(ctx) {
      return { webKeys: (await listSigningKeys(ctx)).map(toWebKey) };
    },
  }),
  operation({
    id: "RotateWebKey",
    method: "POST",
    path: "/v2/web_keys/_rotate",
    tag,
    summary: "Rotate the signing keys: the waiting key signs as soon as every cache can know it",
    description:
      "The key that signs now stays published until the last token it signed has expired. Nobody is signed out.",
    scope: { level: "instance", permission: "iam.web_key.write" },
    body: strict({ algorithm: algorithm.optional() }),
    bodyIsOptional: true,
    answer: z.object({ id: z.string(), activationDate: timestamp, details }),
    async handle(ctx, { body: { algorithm = "RS256" }, origin }) {
      const next = await requestRotation(ctx, algorithm, origin);
      if (isApiError(next)) return next;
      const { id } = await findInstance(ctx);
      const activationDate = new Date(next.activeFrom).toISOString();
      return { id: next.kid, activationDate, ...(await changedAnswer(ctx, "instance", id)) };
    },
  }),
  operation({
    id: "DeleteWebKey",
    method: "DELETE",
    path: "/v2/web_keys/:webKeyId",
    tag,
    summary: "Remove a key that may have leaked",
    description:
      "For emergencies: every token it signed stops verifying, and apps that remember the key set fail until they fetch it again. " +
      "Another key signs from that moment on. Where there is no emergency, rotate.",
    scope: { level: "instance", permission: "iam.web_key.delete" },
    answer: z.object({
      details,
      activeKeyId: z.string().meta({ description: "The key of the same algorithm that signs from now on" }),
      consequence: z.string(),
    }),
    async handle(ctx, { parameters, origin }) {
      const removed = await removeSigningKey(ctx, parameters.webKeyId ?? "", origin);
      if (!removed) return noSuchKey();
      const { id } = await findInstance(ctx);
      return {
        ...(await changedAnswer(ctx, "instance", id)),
        activeKeyId: removed.activeKeyId,
        consequence: "Tokens it signed do not verify any more; apps may fail until they fetch the key set again.",
      };
    },
  }),
];
