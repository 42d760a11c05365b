/** Attempts to sign in, of all organizations or as one of them may read them: who could not, and why. */
import { z } from "zod";
import type { Context } from "../../context";
import { clientId, identifier, strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import type { PageWanted } from "../../directory/listing";
import {
  type AttemptReader,
  type AttemptSearch,
  type ReadAttempt,
  readAttempts,
} from "../../directory/sign-in-attempt/list";
import { isApiError } from "../../protocol/api-error";
import { READ_REASONS } from "../../protocol/sign-in-attempt";
import { makePageToken, readWanted } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { listQuery, timestamp } from "../operation/schemas";

const LEVELS = [
  { level: "instance", id: "ListInstanceSignInAttempts", path: "/admin/v1", of: "of the whole service" },
  {
    level: "organization",
    id: "ListSignInAttempts",
    path: "/management/v1",
    of: "of an organization's users and at its apps",
  },
] as const;
type Level = (typeof LEVELS)[number]["level"];

const signInAttempt = z
  .object({
    id: z.string(),
    creationDate: timestamp,
    count: z
      .int()
      .meta({ description: "How many were alike, from one network within a minute; more than five share a row" }),
    lastDate: timestamp.meta({ description: "Of the last of them" }),
    reason: z.enum(READ_REASONS).meta({
      description:
        "`signed_in`, or the reason for the failure. `not_recognized`: name and password matched no one in the organization",
    }),
    userId: z.string().optional(),
    displayName: z.string().optional(),
    organizationId: z.string().optional().meta({ description: "Of the user" }),
    loginName: z.string().optional().meta({ description: "As typed; only if it means the user" }),
    clientId: z.string().optional(),
    appName: z.string().optional(),
    appId: z.string().optional().meta({ description: "Only of the organization's own apps" }),
    projectId: z.string().optional(),
    appOrganizationId: z.string().optional(),
    address: z.string().optional().meta({ description: "IP address; of users of others their network (CIDR)" }),
    device: z.string().optional().meta({ example: "Firefox · Linux" }),
    detail: z.string().optional().meta({
      description:
        "The redirect_uri that was refused, what was wrong with the request, the kind of second factor, or the identity provider with the checks of its response",
    }),
  })
  .meta({ id: "SignInAttempt" });

const time = (at: number): string => new Date(at).toISOString();

function toAttempt(row: ReadAttempt): z.input<typeof signInAttempt> {
  const { id, createdAt, lastAt, count, reason, ...rest } = row;
  const known = Object.entries(rest).filter(([, value]) => value !== null);
  const about = Object.fromEntries(known) as Partial<Record<keyof typeof rest, string>>;
  return { id, creationDate: time(createdAt), count, lastDate: time(lastAt), reason, ...about };
}

/** A search must match all of them. */
const filter = {
  userId: identifier.optional(),
  loginName: z
    .string()
    .min(1)
    .max(320)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .optional()
    .meta({ description: "Any name of a user, or exactly what was typed, in any capitals" }),
  clientId: clientId.optional(),
  reason: z.enum(READ_REASONS).optional(),
  from: instant.optional(),
  to: instant.optional(),
};
const page = { query: listQuery.omit({ offset: true, asc: true }).optional() };
const BODIES = {
  instance: strict({ ...page, ...filter, organizationId: identifier.optional() }),
  organization: strict({ ...page, ...filter }),
} satisfies Record<Level, z.ZodType>;

/** At instance level the body may name the organization. */
function readerOf(
  level: Level,
  search: AttemptSearch & { organizationId?: string },
  organizationId: string,
): AttemptReader {
  return level === "organization" ? { level, organizationId } : { level, organizationId: search.organizationId };
}

async function answer(ctx: Context, reader: AttemptReader, search: AttemptSearch, { after, limit }: PageWanted) {
  const last = after && { createdAt: Number(after[0]), id: String(after[1]) };
  const { attempts, isLast } = await readAttempts(ctx, reader, search, { after: last, limit });
  const end = isLast ? undefined : attempts.at(-1);
  return {
    details: { viewTimestamp: time(ctx.clock()) },
    ...(end && { nextPageToken: makePageToken([end.createdAt, end.id]) }),
    result: attempts.map(toAttempt),
  };
}

export const signInAttemptOperations: readonly Operation[] = LEVELS.map(({ level, id, path, of }) =>
  operation(id, `POST ${path}/sign_in_attempts/_search`, {
    tag: "Sign-in attempts",
    summary: `Search attempts to sign in ${of}, newest first`,
    description:
      level === "organization"
        ? "An organization reads all attempts of its own users. Of users of other organizations at its apps, and of names that no user has, it reads what the page showed to the person, without the user and with the network in place of the address; the filters `userId` and `loginName` find only its own users. Kept for `SIGN_IN_ATTEMPT_RETENTION`."
        : "Kept for `SIGN_IN_ATTEMPT_RETENTION`.",
    effort: "search",
    scope: { level, permission: "user.read" },
    body: BODIES[level],
    bodyIsOptional: true,
    answer: z.object({
      details: z.object({ viewTimestamp: timestamp }),
      nextPageToken: z.string().optional().meta({ description: "Left out on the last page" }),
      result: z.array(signInAttempt),
    }),
    async handle(ctx, { body: { query, ...search }, organizationId }) {
      const wanted = readWanted(["number", "string"], query);
      if (isApiError(wanted)) return wanted;
      return answer(ctx, readerOf(level, search, organizationId), search, wanted);
    },
  }),
);
