/**
 * Describes the operations for the documentation pages, from the OpenAPI document and the recorded calls of the tests.
 */
import type { ApiDocs, SchemaField, ShownExample, ShownOperation, TypePart } from "../../../components/docs/model";
import type { Operation } from "../operation/operation";
import { anchorOf, type operationAreas } from "./areas";
import type { Example } from "./examples";
import { exampleOf, readableFields, type Schema, typeWords } from "./readable-schema";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface OpenApiOperation {
  /** Operations on texts have none. */
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface OpenApi {
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface Around {
  baseUrl: string;
  document: OpenApi;
  examples: ReadonlyMap<string, Example>;
}

export function describeApi(
  document: OpenApi,
  areas: ReturnType<typeof operationAreas>,
  examples: ReadonlyMap<string, Example>,
): Pick<ApiDocs, "areas" | "schemas"> {
  const around = { baseUrl: document.servers[0]?.url ?? "", document, examples };
  return {
    areas: areas.map(({ operations, ...area }) => ({
      ...area,
      operations: withDistinctSummaries(inGroups(operations).map((group) => describeGroup(group, around))),
    })),
    schemas: Object.entries(document.components.schemas)
      .sort(([a], [b]) => a.localeCompare(b, "en"))
      .map(([name, schema]) => {
        const fields = readableFields(schema);
        return { name, type: fields.length > 0 ? [] : typeWords(schema), fields };
      }),
  };
}

/** Operations that differ in a part of their address alone are one, with that part as a parameter. */
function inGroups(operations: readonly Operation[]): Operation[][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = operation.variant ? `variant ${operation.variant.of}` : operation.id;
    groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  return [...groups.values()];
}

const template = (path: string) => path.replace(/:(\w+)/g, "{$1}");

function describeGroup(group: readonly Operation[], around: Around): ShownOperation {
  const [first] = group;
  if (!first) throw new Error("a group has an operation");
  const entryOf = ({ path, method }: Operation) => around.document.paths[template(path)]?.[method.toLowerCase()];
  const entry = entryOf(first);
  if (!entry) throw new Error(`${first.id} is not in the document`);
  const published = group.flatMap((one) => {
    const shown = template(one.path);
    const id = entryOf(one)?.operationId ?? anchorOf(`${one.method} ${shown}`);
    return [id, ...(one.misspelt ?? []).map((_, index) => `${one.id}_${index + 2}`)];
  });
  const { variant } = first;
  const id = variant?.of ?? published[0] ?? first.id;
  const path = template(first.path);
  const values = group.flatMap((one) => one.variant?.value ?? []);
  const shownPath = variant ? path.replace(variant.value, `{${variant.parameter}}`) : path;
  const [bodyFields, bodySchema] = shownSchema(jsonOf(entry.requestBody));
  const [answerFields, answerSchema] = shownSchema(jsonOf(entry.responses["200"]));
  const { summary = "", description = "", parameters = [] } = entry;
  return {
    id,
    anchors: [...new Set(published)].filter((anchor) => anchor !== id),
    method: first.method,
    path: shownPath,
    summary: variant ? withoutValue(summary, variant.value) : summary,
    description: description.split("\n\n").filter((paragraph) => paragraph !== ""),
    parameters: [
      ...(variant ? [choiceOf(variant.parameter, values)] : []),
      ...parameters.map(({ name, in: location, required = false, description: said, schema }) => ({
        name,
        location: location,
        type: typeWords(schema),
        isRequired: required,
        ...(said !== undefined && { description: said }),
      })),
    ],
    body: bodyFields,
    bodySchema,
    answer: answerFields,
    answerSchema,
    example: exampleFor(first, jsonOf(entry.requestBody), around),
  };
}

function choiceOf(name: string, values: readonly string[]): ShownOperation["parameters"][number] {
  return {
    name,
    location: "path",
    type: [`one of ${values.join(", ")}`],
    isRequired: true,
    description: "Selects the variant. All variants share the same fields.",
  };
}

/** Removes the value of one variant from a summary, such as `init` from `Set the text init`. */
const withoutValue = (summary: string, value: string) =>
  summary
    .replace(/[“"`]?\b[a-z_]+\b[”"`]?/g, (word) => (word.replace(/[“”"`]/g, "") === value ? "" : word))
    .replace(/\s+([,:]|$)/g, "$1")
    .replace(/ {2,}/g, " ")
    .trim();

const jsonOf = (holder: Content | undefined) => holder?.content?.["application/json"]?.schema;

/** Returns the fields of the schema, or the name of the referenced schema. */
function shownSchema(schema: Schema | undefined): [fields: SchemaField[], name: TypePart | undefined] {
  if (!schema) return [[], undefined];
  const [name] = typeWords(schema);
  return schema.$ref === undefined ? [readableFields(schema), undefined] : [[], name];
}

/** Returns the recorded example of the operation, or a generated one. */
function exampleFor({ id, method, path }: Operation, schema: Schema | undefined, around: Around): ShownExample {
  const { baseUrl, document, examples } = around;
  const made = examples.get(id);
  const body = made ? made.body : schema && exampleOf(schema, document.components.schemas);
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${baseUrl}${made?.address ?? template(path)}"`,
    `-H "authorization: Bearer $TOKEN"`,
    ...(made?.organizationId === undefined ? [] : [`-H "x-service-orgid: ${made.organizationId}"`]),
    ...(body === undefined
      ? []
      : [`-H "content-type: application/json"`, `-d '${pretty(body).replaceAll("'", "'\\''")}'`]),
  ];
  return {
    curl: lines.join(" \\\n  "),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(made && made.answer !== "" && { answer: { status: made.status, text: pretty(made.answer) } }),
  };
}

/** Formats JSON; short values are kept on one line. */
function pretty(value: unknown): string {
  if (typeof value === "string") return value;
  const line = JSON.stringify(value);
  return line.length <= 60 ? line : JSON.stringify(value, null, 2);
}

type Told = Pick<ShownOperation, "method" | "path" | "summary">;

/** Returns the operations; a summary that occurs several times gets a distinguishing suffix. */
export function withDistinctSummaries<Operation extends Told>(operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => {
    const alike = operations.filter(({ summary }) => summary === operation.summary);
    if (alike.length === 1) return operation;
    const way = WAYS.find((words) => new Set(alike.map((one) => words(one, alike))).size === alike.length) ?? byAddress;
    return { ...operation, summary: `${operation.summary} (${way(operation, alike)})` };
  });
}

const isOfVersion2 = ({ path }: Told): boolean => /^\/v2/.test(path);

function byLevel(one: Told, alike: readonly Told[]): string {
  if (alike.some(isOfVersion2)) return isOfVersion2(one) ? "version 2" : "version 1";
  return one.path.startsWith("/admin/") ? "service" : "organization";
}

const byAddress = ({ method, path }: Told): string => `${method} ${path}`;
const WAYS = [byLevel, ({ method }: Told) => method, ({ path }: Told) => path];
