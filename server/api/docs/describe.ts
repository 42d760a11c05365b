/** The OpenAPI document as the page of the API shows it. */
import type { ApiDocs, Chapter, Field, ShownOperation, TypePart } from "../../../components/docs/model";
import { exampleOf, fieldsOf, type Schema, typeWords } from "./readable-schema";

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
  tags?: string[];
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

export function describeApi(document: OpenApi, audienceScope: string): ApiDocs {
  const baseUrl = document.servers[0]?.url ?? "";
  const { schemas } = document.components;
  const chapters = new Map<string, ShownOperation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = "Other"] = operation.tags ?? [];
      const shown = describeOperation(operation, method.toUpperCase(), path, { baseUrl, schemas });
      const name = CALLED[tag] ?? tag;
      chapters.set(name, [...(chapters.get(name) ?? []), shown]);
    }
  }
  return {
    baseUrl,
    audienceScope,
    chapters: [...chapters]
      .sort(([a], [b]) => a.localeCompare(b, "en"))
      .map(([name, operations]): Chapter => ({ name, anchor: anchorOf(name), operations })),
    schemas: Object.entries(schemas)
      .sort(([a], [b]) => a.localeCompare(b, "en"))
      .map(([name, schema]) => {
        const fields = fieldsOf(schema);
        return { name, type: fields.length > 0 ? [] : typeWords(schema), fields };
      }),
  };
}

/** The services with remote procedures, all of them about texts. */
const CALLED: Readonly<Record<string, string>> = {
  AdminService: "Texts of the instance",
  ManagementService: "Texts of organizations",
};

const anchorOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

interface Around {
  baseUrl: string;
  schemas: Record<string, Schema>;
}

function describeOperation(
  operation: OpenApiOperation,
  method: string,
  path: string,
  { baseUrl, schemas }: Around,
): ShownOperation {
  const {
    operationId: id = anchorOf(`${method} ${path}`),
    summary = "",
    description = "",
    parameters = [],
  } = operation;
  const body = jsonOf(operation.requestBody);
  const answer = jsonOf(operation.responses["200"]);
  const [bodyFields, bodySchema] = shownSchema(body);
  const [answerFields, answerSchema] = shownSchema(answer);
  return {
    id,
    method,
    path,
    summary,
    description: description.split("\n\n").filter((paragraph) => paragraph !== ""),
    parameters: parameters.map(({ name, in: place, required = false, description: said, schema }) => ({
      name,
      place,
      type: typeWords(schema),
      isRequired: required,
      ...(said !== undefined && { description: said }),
    })),
    body: bodyFields,
    bodySchema,
    answer: answerFields,
    answerSchema,
    curl: curlOf(method, `${baseUrl}${path}`, body && exampleOf(body, schemas)),
  };
}

const jsonOf = (holder: Content | undefined) => holder?.content?.["application/json"]?.schema;

/** Its fields, or the name of the schema that has them. */
function shownSchema(schema: Schema | undefined): [fields: Field[], name: TypePart | undefined] {
  if (!schema) return [[], undefined];
  const [name] = typeWords(schema);
  return schema.$ref === undefined ? [fieldsOf(schema), undefined] : [[], name];
}

/** A command that works once its shell variables are set. */
function curlOf(method: string, address: string, body: unknown): string {
  const filled = address.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `$${name.replace(/([A-Z])/g, "_$1").toUpperCase()}`,
  );
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${filled}"`,
    `-H "authorization: Bearer $TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H "content-type: application/json"`, `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n  ");
}
