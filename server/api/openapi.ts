/** The operations as an OpenAPI 3.1 document, made from the schemas of their bodies and answers. */
import { z } from "zod";
import type { Operation } from "./operation";
import type { Over } from "./over";
import { errorSchema } from "./texts/schemas";

type Json = Record<string, unknown>;

export interface Description {
  paths: Record<string, Record<string, object>>;
  schemas: Record<string, object>;
}

export function describeOperations(operations: readonly Operation[]): Description {
  const paths: Description["paths"] = {};
  const schemas: Description["schemas"] = {};
  for (const operation of operations) {
    const address = operation.path.replace(/:(\w+)/g, "{$1}");
    paths[address] = { ...paths[address], [operation.method.toLowerCase()]: describe(operation, schemas) };
  }
  return { paths, schemas };
}

function describe(operation: Operation, schemas: Description["schemas"]): object {
  const { id, tag, summary, description, aliases = [], scope, body, bodyIsOptional, query, answer } = operation;
  const content = (schema: z.ZodType, io: "input" | "output") => ({
    "application/json": { schema: toJsonSchema(schema, io, schemas) },
  });
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, ...aliases.map((path) => `Also answered at \`${path}\`.`), needsOf(scope)]
      .filter(Boolean)
      .join("\n\n"),
    parameters: [
      ...[...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => {
        return { name, in: "path", required: true, schema: { type: "string" } };
      }),
      ...(query ? queryParameters(toJsonSchema(query, "input", schemas)) : []),
      ...(ORGANIZATION_LEVELS.has(scope.level) ? [ORGANIZATION] : []),
    ],
    ...(body && { requestBody: { required: !bodyIsOptional, content: content(body, "input") } }),
    responses: {
      "200": { description: "Done.", content: content(answer, "input") },
      ...Object.fromEntries(REFUSALS.map(([status, text]) => [status, refusal(text, content(errorSchema, "input"))])),
    },
  };
}

function needsOf(scope: Operation["scope"]): string {
  const { over = "nobody" } = scope;
  const power = typeof over === "function" ? POWER.user : POWER[over];
  return [PERMISSION[scope.level](scope as never), power].filter(Boolean).join(" ");
}

const POWER: Readonly<Record<Extract<Over, string>, string>> = {
  nobody: "",
  user: "Whoever has more permissions than the caller is not theirs to change.",
  everybody: "Needs all permissions that people of the organization have elsewhere.",
  renamed: "Needs all permissions that people have elsewhere whose user names the primary domain completes.",
  all: "Needs the permissions of an owner of the instance.",
  roles: "Needs the permissions of the roles that are given or taken.",
};

const PERMISSION = {
  instance: ({ permission }: { permission: string }) => `Needs \`${permission}\` on the instance.`,
  organization: ({ permission }: { permission: string }) => `Needs \`${permission}\` in the organization.`,
  project: ({ permission }: { permission: string }) => `Needs \`${permission}\` in the organization or the project.`,
  projects: ({ permission }: { permission: string }) =>
    `Needs \`${permission}\` in the organization, or in the project that it is about.`,
  owner: ({ permission }: { permission: string }) => `Needs \`${permission}\` in the organization that owns it.`,
  caller: () => "For everybody who is signed in.",
};

const ORGANIZATION_LEVELS: ReadonlySet<string> = new Set(["organization", "project", "projects"]);
const ORGANIZATION = {
  name: "x-service-orgid",
  in: "header",
  description:
    "Another organization than the caller's; the permission is needed there. x-zitadel-orgid means the same.",
  schema: { type: "string" },
};

const REFUSALS = [
  ["400", "The request is wrong; the details name the fields."],
  ["401", "No token, or one that is not meant for this service."],
  ["403", "The caller may not do this here, or there is no such organization."],
  ["404", "There is no such thing."],
  ["409", "It exists already, or somebody else was quicker."],
  ["default", "An unexpected error."],
] as const;

const refusal = (description: string, content: object) => ({ description, content });

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

/** Schemas with an id are put into the components once and then referred to. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Description["schemas"]): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  const { $schema: _, $defs = {}, ...json } = JSON.parse(text.replaceAll("#/$defs/", "#/components/schemas/"));
  Object.assign(schemas, $defs);
  if (typeof json.id === "string") {
    const { id, ...named } = json;
    schemas[id] = named;
    return { $ref: `#/components/schemas/${id}` };
  }
  return json;
}
