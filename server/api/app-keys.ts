/**
 * Keys of apps that authenticate by signing (private_key_jwt): generated here as a key file, or registered by their
 * public part.
 */
import { z } from "zod";
import { newId } from "../crypto/random";
import { changeInApp, noSuchApp } from "../directory/app/change";
import { addAppKey, removeAppKey } from "../directory/app/key";
import { identifier, strict } from "../directory/fields";
import { instant, pemKey } from "../directory/key-fields";
import { makeKeyFile } from "../directory/key-file";
import { alreadyExists, failedPrecondition, isApiError, notFound } from "../protocol/api-error";
import { readAppKey } from "../storage/app-credentials";
import { countAppKeys, findApp, keysOf, listAppKeys, type ShownKey } from "../storage/app-list";
import { changedAnswer } from "./answers";
import { PATH, placeOf, READ, reducedApp, tag, WRITE } from "./apps";
import { listAnswer, searchBody } from "./lists";
import { operation } from "./operation";
import { changed, details, listOf, moment } from "./schemas";

const MOST_KEYS = 50;
const keyType = z.enum(["KEY_TYPE_JSON"]);

const key = z
  .object({
    id: z.string().meta({ description: "The `kid` of the tokens it signs" }),
    type: keyType,
    algorithm: z.string().meta({ example: "RSA", description: "RSA or the curve" }),
    creationDate: moment,
    expirationDate: moment.optional(),
  })
  .meta({ id: "AppKey" });

function toKey({ id, publicJwk, createdAt, expiresAt }: ShownKey): z.input<typeof key> {
  const expirationDate = expiresAt === null ? {} : { expirationDate: new Date(expiresAt).toISOString() };
  const algorithm = publicJwk.crv ?? publicJwk.kty ?? "";
  return { id, type: "KEY_TYPE_JSON", algorithm, creationDate: new Date(createdAt).toISOString(), ...expirationDate };
}

const noSuchKey = () => notFound("app.key_not_found", "The app has no such key.");

export const appKeyOperations = [
  operation({
    id: "AddAppKey",
    method: "POST",
    path: `${PATH}/:appId/keys`,
    tag,
    summary: "Add a key",
    description: "Without a public key, a key pair is generated and its key file returned, only this once.",
    scope: WRITE,
    body: strict({
      type: keyType,
      expirationDate: instant.optional(),
      publicKey: pemKey.optional(),
      keyId: identifier.optional(),
    }),
    answer: z.object({
      id: z.string(),
      keyDetails: z.string().optional().meta({ description: "The key file in base64: JSON with the private key" }),
      details,
    }),
    async handle(ctx, call) {
      const place = placeOf(call);
      const { publicKey, keyId = newId(), expirationDate: expiresAt } = call.body;
      if (expiresAt !== undefined && expiresAt <= ctx.clock()) {
        return failedPrecondition("app.key_expired", "The key would have expired.", { field: "expirationDate" });
      }
      const row = await findApp(ctx.db, place);
      if (!row) return noSuchApp();
      const owner = { type: "application", clientId: row.clientId, appId: row.id } as const;
      const made = publicKey === undefined ? await makeKeyFile(keyId, owner, expiresAt) : undefined;
      const publicJwk = made?.publicJwk ?? publicKey;
      if (publicJwk === undefined) throw new Error("neither made nor given");
      const answer = await changeInApp(ctx, place, call.origin, async (tx, stored, { organizationId }) => {
        if (await readAppKey(tx, stored.id, keyId)) {
          return alreadyExists("app.key_id_taken", "The app has a key of this id already.", { field: "keyId" });
        }
        if (row.keyCount >= MOST_KEYS) {
          return failedPrecondition("app.too_many_keys", `An app has ${MOST_KEYS} keys at most: remove one.`);
        }
        return addAppKey(ctx, tx, { id: stored.id, organizationId }, { keyId, publicJwk, expiresAt }, call.origin);
      });
      if (isApiError(answer)) return answer;
      const shown = made ? { keyDetails: made.keyDetails } : {};
      return { id: keyId, ...shown, ...(await changedAnswer(ctx, "app", place.appId)) };
    },
  }),
  operation({
    id: "ListAppKeys",
    method: "POST",
    path: `${PATH}/:appId/keys/_search`,
    tag,
    summary: "List the keys that were added one by one, oldest first",
    scope: READ,
    body: searchBody({}),
    bodyIsOptional: true,
    answer: listOf(key),
    async handle(ctx, call) {
      const row = await findApp(ctx.db, placeOf(call));
      if (!row) return noSuchApp();
      const where = keysOf(row.id);
      return listAnswer(ctx, call.body.query, {
        places: ["number", "string"],
        page: ({ ascending, ...wanted }) => listAppKeys(ctx.db, where, { ...wanted, descending: ascending === false }),
        count: () => countAppKeys(ctx.db, where),
        items: (rows) => rows.map(toKey),
      });
    },
  }),
  operation({
    id: "GetAppKey",
    method: "GET",
    path: `${PATH}/:appId/keys/:keyId`,
    tag,
    summary: "Read a key",
    scope: READ,
    answer: z.object({ key }),
    async handle(ctx, call) {
      const row = await findApp(ctx.db, placeOf(call));
      if (!row) return noSuchApp();
      const where = keysOf(row.id);
      where.all.push(`k."id" = ${where.place(call.parameters.keyId ?? "")}`);
      const { rows } = await listAppKeys(ctx.db, where, { after: undefined, offset: 0, limit: 1, descending: false });
      const [found] = rows;
      return found ? { key: toKey(found) } : noSuchKey();
    },
  }),
  operation({
    id: "RemoveAppKey",
    method: "DELETE",
    path: `${PATH}/:appId/keys/:keyId`,
    tag,
    summary: "Remove a key: its signatures are not accepted any more",
    scope: WRITE,
    answer: changed,
    handle: (ctx, call) =>
      reducedApp(ctx, placeOf(call), async (tx, stored, { organizationId }) => {
        const { keyId = "" } = call.parameters;
        if (!(await readAppKey(tx, stored.id, keyId))) return noSuchKey();
        return removeAppKey(ctx, tx, { id: stored.id, organizationId }, keyId, call.origin);
      }),
  }),
];
