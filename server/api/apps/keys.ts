/**
 * Keys of apps that authenticate by signing (private_key_jwt): generated here as a key file, or registered by their
 * public part.
 */
import { z } from "zod";
import { addKeyToApp, listKeysOfApp, readKeyOfApp, removeKeyOfApp } from "../../directory/app/keys";
import { strict } from "../../directory/fields";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { operation } from "../operation/operation";
import { details, listOf } from "../operation/schemas";
import { appRefOf, changedApp, PATH, READ, tag, WRITE } from "./apps";
import { keyDetails, keyShape, newKeyShape, toKey, toWantedKey } from "./key-answers";

const key = z.object(keyShape).meta({ id: "AppKey" });

export const appKeyOperations = [
  operation("AddAppKey", `POST ${PATH}/:appId/keys`, {
    tag,
    summary: "Add a key",
    description: "Without a public key, a key pair is generated and its key file returned, only this once.",
    scope: WRITE,
    body: strict(newKeyShape),
    answer: z.object({
      id: z.string(),
      keyDetails,
      details,
    }),
    handle: (ctx, call) =>
      answered(addKeyToApp(ctx, appRefOf(call), toWantedKey(call.body)), async (added) => ({
        ...added,
        ...(await changedAnswer(ctx, "app", appRefOf(call).appId)),
      })),
  }),
  operation("ListAppKeys", `POST ${PATH}/:appId/keys/_search`, {
    tag,
    summary: "List the keys that were added one by one, oldest first",
    scope: READ,
    body: searchBody({}),
    bodyIsOptional: true,
    answer: listOf(key),
    handle: async (ctx, call) => pagedAnswer(ctx, call.body.query, await listKeysOfApp(ctx, appRefOf(call)), toKey),
  }),
  operation("GetAppKey", `GET ${PATH}/:appId/keys/:keyId`, {
    tag,
    summary: "Read a key",
    scope: READ,
    answer: z.object({ key }),
    handle: (ctx, call) =>
      answered(readKeyOfApp(ctx, appRefOf(call), call.parameters.keyId ?? ""), (found) => ({ key: toKey(found) })),
  }),
  operation("RemoveAppKey", `DELETE ${PATH}/:appId/keys/:keyId`, {
    tag,
    summary: "Remove a key: its signatures are not accepted any more",
    scope: WRITE,
    handle: (ctx, call) =>
      changedApp(ctx, appRefOf(call), removeKeyOfApp(ctx, appRefOf(call), call.parameters.keyId ?? "")),
  }),
];
