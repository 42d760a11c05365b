/** The caller's own login name, and the end of their account (rule API-13: only minutes after signing in). */
import { z } from "zod";
import * as field from "../../directory/fields";
import { removeUser } from "../../directory/user/remove";
import { renameUser } from "../../directory/user/rename";
import { isApiError } from "../../protocol/api-error";
import { detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { changed, listOf } from "../operation/schemas";
import { changedOwn, OWN, OWN_PATH, ownRef } from "./own-ref";
import { recentOwner } from "./refusals";

const tag = "Own account";
const FRESH =
  "The person must have signed in for the token within the last 15 minutes, with the second factor if there is one.";

export const ownNameOperations: readonly Operation[] = [
  operation({
    id: "UpdateMyUserName",
    method: "PUT",
    path: `${OWN_PATH}/username`,
    tag,
    summary: "Change the name that the caller signs in with",
    description: `The name must be available, not reserved, and not under a domain of another organization. ${FRESH}`,
    scope: OWN,
    body: field.strict({ userName: field.userName }),
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      return changedOwn(ctx, call, renameUser(ctx, ownRef(call), call.body.userName, call.origin));
    },
  }),
  operation({
    id: "RemoveMyUser",
    method: "DELETE",
    path: OWN_PATH,
    tag,
    summary: "Remove the caller's account with everything in it",
    description: `The last owner of the service cannot be removed. ${FRESH}`,
    scope: OWN,
    answer: changed,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      return detailsAnswer(await removeUser(ctx, ownRef(call), call.origin));
    },
  }),
  operation({
    id: "ListMyLinkedIDPs",
    method: "POST",
    path: `${OWN_PATH}/idps/_search`,
    tag,
    summary: "List the accounts elsewhere that the caller signs in by",
    description: "External identity providers are not supported, so the list is always empty.",
    scope: OWN,
    body: searchBody({}),
    bodyIsOptional: true,
    answer: listOf(z.object({})),
    handle: async (ctx) => ({
      details: { totalResult: "0", viewTimestamp: new Date(ctx.clock()).toISOString() },
      result: [],
    }),
  }),
];
