/** The operations on metadata, which users and organizations have: by key, several at once, and in version 2. */
import { z } from "zod";
import type { Context } from "../../context";
import { name as keyName, name, strict } from "../../directory/fields";
import { MAX_KEYS, type MetadataEntry, noSuchMetadata } from "../../directory/metadata";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { answered, type changedAnswer } from "./answers";
import { appliedTo, filteredBody, filteredList, isTextFound, keyFilter, keyMatchOf } from "./filters";
import { pageInMemory, searchBody, textQuery, toTextMatch } from "./lists";
import { type Operation, type OperationCall, operation } from "./operation";
import { details, listOf, timestamp } from "./schemas";

type Call = OperationCall<unknown, unknown>;
type Changes = Promise<Awaited<ReturnType<typeof changedAnswer>> | ApiError>;
type Place = Pick<Operation, "tag" | "scope">;

/** The ids, addresses, texts and use cases of one kind of objects that have metadata. */
interface MetadataWords {
  /** The addresses, the permissions and the ids of the operations, by version of the API. */
  v1: {
    ids: { list: string; get: string; bulkSet: string; bulkRemove: string; set: string; remove: string };
    path: string;
    read: Place;
    write: Place;
  };
  v2: {
    ids: { set: string; list: string; remove: string };
    path: string;
    aliases?: string[];
    read: Place;
    write: Place;
  };
  /** Its metadata in summaries, such as "a user's metadata". */
  summaries: { list: string; v1: string; v2: string };
  /** Returns the description of operations that set values. */
  purpose?(what: "it" | "them"): string;
  /** Further addresses of the operations that read. */
  also?: { list: Operation["also"]; get: Operation["also"] };
  entries(ctx: Context, call: Call): Promise<readonly MetadataEntry[] | ApiError>;
  set(ctx: OriginContext, call: Call, entries: ReturnType<typeof entriesIn>): Changes;
  remove(ctx: OriginContext, call: Call, keys: readonly string[]): Changes;
}

export function metadataOperations(owner: MetadataWords): readonly Operation[] {
  const { v1, v2, summaries, also } = owner;
  const purpose = (what: "it" | "them") => owner.purpose && { description: owner.purpose(what) };
  return [
    operation(v1.ids.list, `POST ${v1.path}/_search`, {
      ...v1.read,
      summary: summaries.list,
      also: also?.list,
      body: metadataSearch,
      bodyIsOptional: true,
      answer: metadataList,
      handle: (ctx, call) =>
        answered(owner.entries(ctx, call), (entries) => listedMetadata(ctx, call.body, entries, call.organizationId)),
    }),
    operation(v1.ids.get, `GET ${v1.path}/:key`, {
      ...v1.read,
      summary: `Read one value of ${summaries.v1}`,
      also: also?.get,
      answer: oneMetadata,
      handle: (ctx, call) =>
        answered(owner.entries(ctx, call), (entries) =>
          metadataUnder(entries, call.parameters.key, call.organizationId),
        ),
    }),
    operation(v1.ids.bulkSet, `POST ${v1.path}/_bulk`, {
      ...v1.write,
      ...purpose("them"),
      effort: "heavy",
      summary: `Set several values of ${summaries.v1}, all or none`,
      body: severalMetadata,
      handle: (ctx, call) => owner.set(ctx, call, entriesIn(call.body)),
    }),
    operation(v1.ids.bulkRemove, `DELETE ${v1.path}/_bulk`, {
      ...v1.write,
      effort: "heavy",
      summary: `Remove several values of ${summaries.v1}, all or none`,
      body: strict({ keys: severalKeys }),
      handle: (ctx, call) => owner.remove(ctx, call, call.body.keys),
    }),
    operation(v1.ids.set, `POST ${v1.path}/:key`, {
      ...v1.write,
      ...purpose("it"),
      summary: `Set one value of ${summaries.v1}`,
      body: strict({ value: metadataValue }),
      async handle(ctx, call) {
        const key = keyName.safeParse(call.parameters.key);
        return key.success ? owner.set(ctx, call, [{ key: key.data, bytes: call.body.value }]) : noSuchMetadata();
      },
    }),
    operation(v1.ids.remove, `DELETE ${v1.path}/:key`, {
      ...v1.write,
      summary: `Remove one value of ${summaries.v1}`,
      handle: (ctx, call) => owner.remove(ctx, call, [call.parameters.key ?? ""]),
    }),
    operation(v2.ids.set, `POST ${v2.path}`, {
      ...v2.write,
      ...purpose("them"),
      summary: `Set values of ${summaries.v2}, all or none`,
      body: severalMetadata,
      answer: z.object({ setDate: timestamp }),
      async handle(ctx, call) {
        const done = await owner.set(ctx, call, entriesIn(call.body));
        return isApiError(done) ? done : { setDate: done.details.changeDate };
      },
    }),
    operation(v2.ids.list, `POST ${v2.path}/search`, {
      ...v2.read,
      ...(v2.aliases && { aliases: v2.aliases }),
      summary: `Search ${summaries.v2}, by key`,
      body: filteredMetadata,
      bodyIsOptional: true,
      answer: filteredMetadataList,
      handle: (ctx, call) => answered(owner.entries(ctx, call), (entries) => filteredEntries(call.body, entries)),
    }),
    operation(v2.ids.remove, `DELETE ${v2.path}`, {
      ...v2.write,
      summary: `Remove values of ${summaries.v2}, all or none`,
      query: z.object({ keys: severalKeys }),
      repeatedQuery: ["keys"],
      answer: z.object({ deletionDate: timestamp }),
      async handle(ctx, call) {
        const removed = await owner.remove(ctx, call, call.query.keys);
        return isApiError(removed) ? removed : { deletionDate: removed.details.changeDate };
      },
    }),
  ];
}

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

const severalKeys = several(z.string());
const severalMetadata = strict({ metadata: several(strict({ key: name, value: metadataValue })) });
const entriesIn = ({ metadata }: z.output<typeof severalMetadata>) =>
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

const oneMetadata = z.object({ metadata });

/** The values of metadata, and its lists in both versions of the API. */
function metadataUnder(entries: readonly MetadataEntry[], key: string | undefined, resourceOwner: string) {
  const entry = entries.find((one) => one.key === key);
  return entry ? { metadata: toMetadata(entry, resourceOwner) } : (noSuchMetadata() as ApiError);
}

const metadataSearch = searchBody({ keyQuery: textQuery("key") });
const metadataList = listOf(metadata);

function listedMetadata(
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

const filteredMetadata = filteredBody({ keyFilter });
const filteredMetadataList = filteredList("metadata", datedMetadata.meta({ id: "DatedMetadata" }));

function filteredEntries(
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
