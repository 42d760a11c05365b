/** Version 2 of reading and searching people and machines, of the organizations that the caller may look into. */
import { z } from "zod";
import { readListedUserAnywhere } from "../../directory/user/list";
import { searchUsersOf } from "../../directory/user/search";
import { toDetails } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { type Operation, operation } from "../operation/operation";
import { pagedAnswer } from "../operation/paged";
import { details, listOf, timestamp } from "../operation/schemas";
import { organizationWanted, toUsersWantedV2, userSearchBodyV2 } from "./queries-v2";
import { toUserV2, userV2 } from "./schemas-v2";
import { ownedBy, readableUsers, userRefOf } from "./user-ref";

const tag = "Users";
const list = listOf(userV2);

export const userV2Operations: readonly Operation[] = [
  operation("ListUsersV2", "POST /v2/users", {
    aliases: ["/v2/users/_search"],
    tag,
    summary: "Search the people and machines of one organization or of all",
    description:
      "In the organization that an `organizationIdQuery` names; without one in all organizations, or, for those who may not look into all, in their own. A page may be short or even empty and still have a next page: each request examines at most 10000 users.",
    scope: { level: "caller" },
    effort: "search",
    body: userSearchBodyV2,
    bodyIsOptional: true,
    answer: list.extend({
      details: list.shape.details.extend({ timestamp }),
      sortingColumn: userSearchBodyV2.shape.sortingColumn,
    }),
    async handle(ctx, { body, caller }) {
      const scope = await readableUsers(ctx, { caller }, { organizationId: organizationWanted(body) });
      if (isApiError(scope)) return scope;
      const found = searchUsersOf(ctx, scope.organizationId, toUsersWantedV2(body));
      const answer = await pagedAnswer(ctx, body.query, found, toUserV2);
      if (isApiError(answer)) return answer;
      const timestamps = { ...answer.details, timestamp: answer.details.viewTimestamp };
      return { ...answer, details: timestamps, sortingColumn: body.sortingColumn };
    },
  }),
  operation("GetUserByIDV2", "GET /v2/users/:userId", {
    tag,
    summary: "Read a user of any organization",
    scope: ownedBy("user.read"),
    answer: z.object({ details, user: userV2 }),
    async handle(ctx, call) {
      const row = await readListedUserAnywhere(ctx, userRefOf(call).userId);
      return isApiError(row) ? row : { details: toDetails(row), user: toUserV2(row) };
    },
  }),
];
