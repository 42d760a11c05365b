/** Schemas that many operations share. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import type { Details } from "../../events/record";
import { issue } from "../../protocol/reason";

/** An optional member. An empty text counts as omitted, because clients of protocol buffers do not distinguish them. */
export const orAbsent = <Field extends z.ZodType>(field: Field) =>
  z.union([z.literal("").transform(() => undefined), field]).optional();

export const timestamp = z.iso.datetime().meta({ description: "ISO 8601, UTC", example: "2026-01-02T03:04:05.678Z" });

export const details = z
  .object({
    sequence: z.string().regex(/^\d+$/).meta({ description: "uint64 as a string", example: "3" }),
    creationDate: timestamp,
    changeDate: timestamp,
    resourceOwner: z.string().meta({ description: "Organization id; the instance's id at instance level" }),
  })
  .meta({ id: "Details" }) satisfies z.ZodType<Details>;

/** The response of an operation that only changes an object. */
export const changed = z.object({ details }).meta({ id: "Changed" });

/** Skipping rows costs as much as reading them; beyond this a page token must be used. */
const FARTHEST_OFFSET = 10_000;
/** A whole number, as a number or, like uint64, as a string. */
export const wholeNumberUpTo = (most: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,9}$/, { error: issue("whole_number") })
        .transform(Number),
    ])
    .refine((value) => value >= 0 && value <= most, { error: issue("between", { least: 0, most }) });

/** The page of a list to read: by offset or, in long lists, by the token of the previous page. */
export const listQuery = strict({
  offset: wholeNumberUpTo(FARTHEST_OFFSET).optional(),
  limit: wholeNumberUpTo(1_000).optional().meta({ description: "100 if left out or 0" }),
  asc: z.boolean().optional(),
  pageToken: z
    .string()
    .max(1_000, { error: issue("page_token") })
    .optional(),
}).meta({ id: "ListQuery" });
export type ListQuery = z.output<typeof listQuery>;

export const textQueryMethod = z.enum([
  "TEXT_QUERY_METHOD_EQUALS",
  "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE",
  "TEXT_QUERY_METHOD_STARTS_WITH",
  "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE",
  "TEXT_QUERY_METHOD_CONTAINS",
  "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE",
  "TEXT_QUERY_METHOD_ENDS_WITH",
  "TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE",
]);

/** The answer of a search. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    details: z.object({
      totalResult: z.string().meta({ description: "uint64 as a string; counted up to 10000" }),
      viewTimestamp: timestamp,
    }),
    nextPageToken: z.string().optional().meta({ description: "Left out on the last page" }),
    result: z.array(item),
  });
}

/** The body of every refusal (rule API-1). */
export const errorSchema = z.object({
  code: z.int().meta({ description: "gRPC status code.", example: 7 }),
  message: z.string(),
  details: z.array(
    z.object({
      "@type": z.literal("type.googleapis.com/service.v1.ErrorDetail"),
      id: z.string().meta({ description: "Stable slug.", example: "message_text.not_found" }),
      message: z.string().optional(),
      field: z.string().optional(),
      limit: z.int().optional(),
      position: z.int().optional(),
      suggestion: z.string().optional(),
    }),
  ),
});
