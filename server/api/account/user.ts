/** The caller's own account (rule API-13): who they are, their profile, addresses and metadata. */
import { z } from "zod";
import { noSuchUser } from "../../directory/not-found";
import { readListedUser } from "../../directory/user/list";
import { listUserMetadata, readUserMetadata } from "../../directory/user/metadata";
import { toDetails } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { listActiveSessions } from "../../sessions/list";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { metadata, toMetadata } from "../users/data";
import { toUser, user } from "../users/schemas";
import { emailAnswer, phoneAnswer, toEmail, toPhone } from "../users/user-contact";
import { noBody } from "../users/user-ref";
import { OWN, OWN_PATH, ownRef } from "./own-ref";

const tag = "Own account";
const profile = user.shape.human.unwrap().shape.profile;

export const ownUserOperations: readonly Operation[] = [
  operation({
    id: "GetMyUser",
    method: "GET",
    path: OWN_PATH,
    tag,
    summary: "Read the caller's account",
    scope: OWN,
    answer: z.object({
      user,
      lastLogin: timestamp.optional().meta({ description: "The newest sign-in that has not ended" }),
    }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, ownRef(call));
      if (isApiError(row)) return row;
      const newest = { after: undefined, offset: 0, limit: 1, ascending: false };
      const [session] = (await listActiveSessions(ctx, [{ userId: row.id }]).page(newest)).rows;
      return { user: toUser(row), lastLogin: session && new Date(session.authTime).toISOString() };
    },
  }),
  operation({
    id: "GetMyProfile",
    method: "GET",
    path: `${OWN_PATH}/profile`,
    tag,
    summary: "Read the caller's profile",
    scope: OWN,
    answer: z.object({ details, profile }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, { ...ownRef(call), kind: "human" });
      if (isApiError(row)) return row;
      const { human } = toUser(row);
      return human ? { details: toDetails(row), profile: human.profile } : noSuchUser();
    },
  }),
  operation({
    id: "GetMyEmail",
    method: "GET",
    path: `${OWN_PATH}/email`,
    tag,
    summary: "Read the caller's email address",
    scope: OWN,
    answer: emailAnswer.extend({ details }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, { ...ownRef(call), kind: "human" });
      return isApiError(row) ? row : { details: toDetails(row), email: toEmail(row) };
    },
  }),
  operation({
    id: "GetMyPhone",
    method: "GET",
    path: `${OWN_PATH}/phone`,
    tag,
    summary: "Read the caller's phone number",
    scope: OWN,
    answer: phoneAnswer.extend({ details }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, { ...ownRef(call), kind: "human" });
      return isApiError(row) ? row : { details: toDetails(row), phone: toPhone(row) };
    },
  }),
  operation({
    id: "ListMyMetadata",
    method: "POST",
    path: `${OWN_PATH}/metadata/_search`,
    tag,
    summary: "List the caller's metadata, by key",
    scope: OWN,
    ...noBody,
    answer: z.object({ result: z.array(metadata) }),
    async handle(ctx, call) {
      const entries = await listUserMetadata(ctx, ownRef(call));
      return isApiError(entries) ? entries : { result: entries.map(toMetadata) };
    },
  }),
  operation({
    id: "GetMyMetadata",
    method: "GET",
    path: `${OWN_PATH}/metadata/:key`,
    tag,
    summary: "Read one value of the caller's metadata",
    scope: OWN,
    answer: z.object({ metadata }),
    async handle(ctx, call) {
      const entry = await readUserMetadata(ctx, ownRef(call), call.parameters.key ?? "");
      return isApiError(entry) ? entry : { metadata: toMetadata(entry) };
    },
  }),
];
