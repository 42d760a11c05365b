/** Generates the OpenAPI 3.1 paths and schemas from the operations and the schemas of their bodies and responses. */
import { z } from "zod";
import { describeMembers, wordsFor } from "./field-words";
import type { Operation } from "./operation/operation";
import { errorSchema } from "./operation/schemas";
import type { Target } from "./operation/target";

type Json = Record<string, unknown>;

export interface OpenApiParts {
  paths: Record<string, Record<string, object>>;
  schemas: Record<string, object>;
}

export function describeOperations(operations: readonly Operation[]): OpenApiParts {
  const paths: OpenApiParts["paths"] = {};
  const made: Made = { schemas: {}, texts: new Map() };
  const add = (path: string, { method }: Operation, entry: object) => {
    const address = path.replace(/:(\w+)/g, "{$1}");
    paths[address] = { ...paths[address], [method.toLowerCase()]: entry };
  };
  for (const operation of operations) {
    const entry = describe(operation, made);
    add(operation.path, operation, entry);
    operation.misspelt?.forEach((path, index) => {
      add(path, operation, { ...entry, operationId: `${operation.id}_${index + 2}`, deprecated: true });
    });
  }
  return { paths, schemas: made.schemas };
}

interface Made {
  schemas: OpenApiParts["schemas"];
  /** Cache of JSON schemas as text. Many operations share the schemas of errors, bodies and responses. */
  texts: Map<z.ZodType, string>;
}

function describe(operation: Operation, made: Made): object {
  const { id, tag, summary, description, aliases = [], scope, body, bodyIsOptional, query, answer } = operation;
  const edition = operation.published ? FIRST : USUAL;
  const operationId = operation.published ? operation.published.operationId : id;
  const said = operation.published
    ? description
    : [description, ...aliases.map((path) => `Also answered at \`${path}\`.`), needsOf(scope)]
        .filter(Boolean)
        .join("\n\n");
  const media = operation.procedure ? PROCEDURE_MEDIA : JSON_MEDIA;
  const refusals = [...edition.refusals, ...(operation.isConditional ? [CONFLICT] : [])];
  const content = (schema: z.ZodType, types: readonly string[] = JSON_MEDIA) =>
    Object.fromEntries(types.map((type) => [type, { schema: toJsonSchema(schema, [id, tag], made) }]));
  return {
    ...(operationId !== undefined && { operationId }),
    tags: [tag],
    summary,
    ...(said !== undefined && { description: said }),
    parameters: [
      ...[...operation.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
        const words = wordsFor(name, {}, ["path", tag]);
        return {
          name,
          in: "path",
          required: true,
          ...(words !== undefined && { description: words }),
          schema: { type: "string" },
          ...edition.parameters[name],
        };
      }),
      ...(query ? queryParameters(toJsonSchema(query, ["query", tag], made)) : []),
      ...(ORGANIZATION_LEVELS.has(scope.level) ? [edition.organization] : []),
      ...(operation.isConditional ? [IF_MATCH] : []),
    ],
    ...(body && { requestBody: { required: !bodyIsOptional, content: content(body) } }),
    responses: {
      "200": { description: "Done.", content: content(answer, media) },
      ...Object.fromEntries(
        refusals.map(([status, text]) => [status, { description: text, content: content(edition.error, media) }]),
      ),
    },
  };
}

const JSON_MEDIA = ["application/json"] as const;
/** The media types of operations that are also remote procedures. */
const PROCEDURE_MEDIA = [...JSON_MEDIA, "application/grpc", "application/grpc-web+proto"] as const;

function needsOf(scope: Operation["scope"]): string {
  const { target = "nobody" } = scope;
  const power = typeof target === "function" ? POWER.user : POWER[target];
  return [PERMISSION[scope.level](scope as never), power].filter(Boolean).join(" ");
}

const POWER: Readonly<Record<Extract<Target, string>, string>> = {
  nobody: "",
  user: "The caller cannot modify users who have permissions that the caller lacks.",
  listed:
    "The caller cannot modify users who have permissions that the caller lacks. The response reports this for each user.",
  everybody: "Requires all permissions that users of the organization hold elsewhere.",
  renamed: "Requires all permissions that users have elsewhere whose user names are completed with the primary domain.",
  all: "Requires the permissions of an owner of the instance.",
  roles: "Requires the permissions of the roles that are granted or removed.",
};

const PERMISSION = {
  instance: ({ permission }: { permission: string }) => `Requires \`${permission}\` on the instance.`,
  organization: ({ permission }: { permission: string }) => `Requires \`${permission}\` in the organization.`,
  project: ({ permission }: { permission: string }) => `Requires \`${permission}\` in the organization or the project.`,
  projects: ({ permission }: { permission: string }) =>
    `Requires \`${permission}\` in the organization, or in the project concerned.`,
  owner: ({ permission }: { permission: string }) =>
    `Requires \`${permission}\` in the organization that owns the resource.`,
  caller: () => "For any signed-in user.",
};

const ORGANIZATION_LEVELS: ReadonlySet<string> = new Set(["organization", "project", "projects"]);
const organizationHeader = (description: string) => {
  return { name: "x-service-orgid", in: "header", description, schema: { type: "string" } };
};
const IF_MATCH = {
  name: "If-Match",
  in: "header",
  description:
    "The sequence that the text must still have, or * to require that a text exists. Otherwise the response is 412.",
  schema: { type: "string" },
};

type Refusals = readonly (readonly [status: string, description: string])[];
const CONFLICT = ["412", "The text has changed in the meantime."] as const;

/** A shared component, so that it appears only once in the document. */
const refusalSchema = errorSchema.meta({ id: "Error" });

/** The parts that all entries of one edition share. */
interface Edition {
  error: z.ZodType;
  refusals: Refusals;
  organization: object;
  /** Additional members of path parameters, by name. */
  parameters: Readonly<Record<string, object>>;
}

const USUAL: Edition = {
  error: refusalSchema,
  refusals: [
    ["400", "The request is invalid; the details name the fields."],
    ["401", "The token is missing or not valid for this service."],
    ["403", "The caller lacks the permission, or the organization does not exist."],
    ["404", "Nothing exists with this ID. Check it and try again."],
    ["409", "It already exists, or it was changed concurrently."],
    ["default", "An unexpected error."],
  ],
  organization: organizationHeader(
    "An organization other than the caller's; the permission is required there. x-zitadel-orgid is an alias.",
  ),
  parameters: {},
};

/** The edition for operations on texts with published ids, from which clients have been generated (`published`). */
const FIRST: Edition = {
  error: refusalSchema,
  refusals: [
    ["400", "The request is invalid; the detail names the field."],
    ["401", "The token is missing or not valid for this service."],
    ["403", "The caller lacks the permission, or the organization does not exist."],
    ["404", "Nothing exists with this ID. Check it and try again."],
    ["default", "An unexpected error."],
  ],
  organization: organizationHeader("An organization other than the caller's; the permission is required there."),
  parameters: {
    language: { description: "BCP 47 tag of a supported language, in upper or lower case.", example: "en" },
  },
};

function queryParameters(schema: Json): object[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, { description, ...of }]) => {
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: of,
    };
  });
}

/**
 * Converts a schema to JSON Schema. Schemas with an id become shared components and are referenced.
 * @param place the parents of the schema, used to look up the descriptions of its members
 */
function toJsonSchema(schema: z.ZodType, place: readonly string[], { schemas, texts }: Made): Json {
  const text = texts.get(schema) ?? JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  texts.set(schema, text);
  const { $schema: _, $defs = {}, ...json } = JSON.parse(text.replaceAll("#/$defs/", "#/components/schemas/"));
  for (const [id, named] of Object.entries($defs as Record<string, Json>)) addSchema(id, named, schemas);
  if (typeof json.id === "string") {
    const { id, ...named } = json;
    addSchema(id, named, schemas);
    return { $ref: `#/components/schemas/${id}` };
  }
  describeMembers(json, place);
  return json;
}

function addSchema(id: string, schema: Json, schemas: OpenApiParts["schemas"]): void {
  describeMembers(schema, [id]);
  schemas[id] = schema;
}
