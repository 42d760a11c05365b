/** What operations on metadata have in common, of users and of organizations: the values, and both kinds of lists. */
import { z } from "zod";
import type { Context } from "../../context";
import { name, strict } from "../../directory/fields";
import { MAX_KEYS, type MetadataEntry, noSuchMetadata } from "../../directory/metadata";
import type { ApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { appliedTo, filteredBody, filteredList, isTextFound, keyFilter, keyMatchOf } from "./filters";
import { pageInMemory, searchBody, textQuery, toTextMatch } from "./lists";
import { details, listOf, timestamp } from "./schemas";

/** The largest value in bytes: tokens may contain all of them. */
const MAX_VALUE = 5_000;

/** Bytes in base64 of either alphabet. */
export const metadataValue = z
  .string()
  .max(Math.ceil((MAX_VALUE * 4) / 3) + 4, { error: issue("bytes", { n: MAX_VALUE }) })
  .regex(/^[\w+/-]+={0,2}$/, { error: issue("base64") })
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length > 0 && bytes.length <= MAX_VALUE, { error: issue("bytes", { n: MAX_VALUE }) });

const several = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1, { error: issue("empty") })
    .max(MAX_KEYS, { error: issue("entries", { n: MAX_KEYS }) });

export const severalKeys = several(z.string());
export const severalMetadata = strict({ metadata: several(strict({ key: name, value: metadataValue })) });
export const entriesIn = ({ metadata }: z.output<typeof severalMetadata>) =>
  metadata.map(({ key, value }) => ({ key, bytes: value }));

const plain = { key: z.string(), value: z.string().meta({ description: "base64" }) };
const metadata = z.object({ ...plain, details: details.omit({ sequence: true }) }).meta({ id: "Metadata" });
const datedMetadata = z.object({ ...plain, creationDate: timestamp, changeDate: timestamp });

const times = ({ createdAt, changedAt }: MetadataEntry) => ({
  creationDate: new Date(createdAt).toISOString(),
  changeDate: new Date(changedAt).toISOString(),
});
const keyAndValue = ({ key, value }: MetadataEntry) => ({
  key,
  value: Buffer.from(value, "base64url").toString("base64"),
});
const toMetadata = (entry: MetadataEntry, resourceOwner: string): z.input<typeof metadata> => ({
  ...keyAndValue(entry),
  details: { ...times(entry), resourceOwner },
});

export const oneMetadata = z.object({ metadata });

export function metadataUnder(entries: readonly MetadataEntry[], key: string | undefined, resourceOwner: string) {
  const entry = entries.find((one) => one.key === key);
  return entry ? { metadata: toMetadata(entry, resourceOwner) } : (noSuchMetadata() as ApiError);
}

export const metadataSearch = searchBody({ keyQuery: textQuery("key") });
export const metadataList = listOf(metadata);

export function listedMetadata(
  ctx: Context,
  { query, queries = [] }: z.output<typeof metadataSearch>,
  entries: readonly MetadataEntry[],
  resourceOwner: string,
) {
  const found = entries.filter(({ key }) =>
    queries.every(({ keyQuery }) => !keyQuery || isTextFound(key, toTextMatch(keyQuery.key, keyQuery.method))),
  );
  return {
    details: { totalResult: String(found.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
    result: pageInMemory(found, query).map((entry) => toMetadata(entry, resourceOwner)),
  };
}

export const filteredMetadata = filteredBody({ keyFilter });
export const filteredMetadataList = filteredList("metadata", datedMetadata.meta({ id: "DatedMetadata" }));

export function filteredEntries(
  { pagination = {}, filters = [] }: z.output<typeof filteredMetadata>,
  entries: readonly MetadataEntry[],
) {
  const found = entries.filter(({ key }) =>
    filters.every((one) => !one.keyFilter || isTextFound(key, keyMatchOf(one.keyFilter))),
  );
  return {
    pagination: appliedTo(found.length, pagination),
    metadata: pageInMemory(found, pagination).map((entry) => ({ ...keyAndValue(entry), ...times(entry) })),
  };
}
