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
      const row = await readListedUser(ctx, ownRef(call));
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
      const row = await readListedUser(ctx, { ...ownRef(call), kind: "human" });
      if (isApiError(row)) return row;
      const { human } = toUser(row);
      return human ? { details: toDetails(row), profile: human.profile } : noSuchUser();
    },
  }),
  operation("GetMyEmail", `GET ${OWN_PATH}/email`, {
    ...OWN,
    summary: "Read the caller's email address",
    answer: emailAnswer.extend({ details }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, { ...ownRef(call), kind: "human" });
      return isApiError(row) ? row : { details: toDetails(row), email: toEmail(row) };
    },
  }),
  operation("GetMyPhone", `GET ${OWN_PATH}/phone`, {
    ...OWN,
    summary: "Read the caller's phone number",
    answer: phoneAnswer.extend({ details }),
    async handle(ctx, call) {
      const row = await readListedUser(ctx, { ...ownRef(call), kind: "human" });
      return isApiError(row) ? row : { details: toDetails(row), phone: toPhone(row) };
    },
  }),
  operation("ListMyMetadata", `POST ${OWN_PATH}/metadata/_search`, {
    ...OWN,
    summary: "List the caller's metadata, by key",
    ...noBody,
    answer: z.object({ result: z.array(metadata) }),
    async handle(ctx, call) {
      const entries = await listUserMetadata(ctx, ownRef(call));
      return isApiError(entries) ? entries : { result: entries.map(toMetadata) };
    },
  }),
  operation("GetMyMetadata", `GET ${OWN_PATH}/metadata/:key`, {
    ...OWN,
    summary: "Read one value of the caller's metadata",
    answer: z.object({ metadata }),
    async handle(ctx, call) {
      const entry = await readUserMetadata(ctx, ownRef(call), call.parameters.key ?? "");
      return isApiError(entry) ? entry : { metadata: toMetadata(entry) };
    },
  }),
];
