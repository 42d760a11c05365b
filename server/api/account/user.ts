/** The caller's own account (rule API-13): who they are, their profile, addresses and metadata. */
import { z } from "zod";
import { noSuchUser } from "../../directory/not-found";
import { readListedUser } from "../../directory/user/list";
import { toDetails } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { listActiveSessions } from "../../sessions/list";
import { answered } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { emailAnswer, phoneAnswer, toEmail, toPhone } from "../users/contact";
import { OWN, OWN_PATH } from "../users/own";
import { toUser, user } from "../users/schemas";
import { userRefOf } from "../users/user-ref";

const profile = user.shape.human.unwrap().shape.profile;

export const ownUserOperations: readonly Operation[] = [
  operation("GetMyUser", `GET ${OWN_PATH}`, {
    ...OWN,
    summary: "Read the caller's account",
    answer: z.object({
      user,
      lastLogin: timestamp.optional().meta({ description: "The newest sign-in that has not ended" }),
    }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, userRefOf(call));
      if (isApiError(row)) return row;
      const newest = { after: undefined, offset: 0, limit: 1, ascending: false };
      const [session] = (await listActiveSessions(ctx, [{ userId: row.id }]).page(newest)).rows;
      return { user: toUser(row), lastLogin: session && new Date(session.authTime).toISOString() };
    },
  }),
  operation("GetMyProfile", `GET ${OWN_PATH}/profile`, {
    ...OWN,
    summary: "Read the caller's profile",
    answer: z.object({ details, profile }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, { ...userRefOf(call), kind: "human" });
      if (isApiError(row)) return row;
      const { human } = toUser(row);
      return human ? { details: toDetails(row), profile: human.profile } : noSuchUser();
    },
  }),
  operation("GetMyEmail", `GET ${OWN_PATH}/email`, {
    ...OWN,
    summary: "Read the caller's email address",
    answer: emailAnswer.extend({ details }),
    handle: (ctx, call) =>
      answered(readListedUser(ctx, { ...userRefOf(call), kind: "human" }), (row) => ({
        details: toDetails(row),
        email: toEmail(row),
      })),
  }),
  operation("GetMyPhone", `GET ${OWN_PATH}/phone`, {
    ...OWN,
    summary: "Read the caller's phone number",
    answer: phoneAnswer.extend({ details }),
    handle: (ctx, call) =>
      answered(readListedUser(ctx, { ...userRefOf(call), kind: "human" }), (row) => ({
        details: toDetails(row),
        phone: toPhone(row),
      })),
  }),
];
