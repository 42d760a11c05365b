/** The caller's own login name, and the end of their account (rule API-13: only minutes after signing in). */
import { z } from "zod";
import * as field from "../../directory/fields";
import { removeUser } from "../../directory/user/remove";
import { renameUser } from "../../directory/user/rename";
import { isApiError } from "../../protocol/api-error";
import { detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { listOf } from "../operation/schemas";
import { changedOwn, OWN, OWN_PATH, ownRef } from "./own-ref";
import { recentOwner } from "./refusals";

const FRESH =
  "The person must have signed in for the token within the last 15 minutes, with the second factor if there is one.";

export const ownNameOperations: readonly Operation[] = [
  operation("UpdateMyUserName", `PUT ${OWN_PATH}/username`, {
    ...OWN,
    summary: "Change the name that the caller signs in with",
    description: `The name must be available, not reserved, and not under a domain of another organization. ${FRESH}`,
    body: field.strict({ userName: field.userName }),
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      return changedOwn(ctx, call, renameUser(ctx, ownRef(call), call.body.userName, call.origin));
    },
  }),
  operation("RemoveMyUser", `DELETE ${OWN_PATH}`, {
    ...OWN,
    summary: "Remove the caller's account with everything in it",
    description: `The last owner of the service cannot be removed. ${FRESH}`,
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      return detailsAnswer(await removeUser(ctx, ownRef(call), call.origin));
    },
  }),
  operation("ListMyLinkedIDPs", `POST ${OWN_PATH}/idps/_search`, {
    ...OWN,
    summary: "List the accounts elsewhere that the caller signs in by",
    description: "External identity providers are not supported, so the list is always empty.",
    body: searchBody({}),
    bodyIsOptional: true,
    answer: listOf(z.object({})),
    handle: async (ctx) => ({
      details: { totalResult: "0", viewTimestamp: new Date(ctx.clock()).toISOString() },
      result: [],
    }),
  }),
];
