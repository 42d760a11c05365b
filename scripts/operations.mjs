// Generates what the console knows of the operations of the management APIs from the declarations in server/api, so
// that no page repeats an address or the shape of a response: a table of addresses, of which bundles contain the
// entries that they use, and the types of requests and responses.
//
// node scripts/operations.mjs <bundle of server/api/all.ts>
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { inProject } from "./environment.mjs";

const HEAD = "// Made by scripts/operations.mjs from the operations of server/api; not to be edited.\n";

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, "utf8") !== HEAD + text) writeFileSync(path, HEAD + text);
}

/** Removes the package from the id of a remote procedure, because a name in TypeScript has no dots. */
const nameOf = (id) => id.replace(/^.*\./, "");

/**
 * Returns the operations as the console calls them: operations that differ in one part of their address become one
 * with that part as a parameter.
 */
function calledOnes(operations) {
  const ones = new Map();
  for (const given of operations) {
    const operation = { ...given, variant: given.variant ?? given.calledAs };
    const { variant, method } = operation;
    const name = nameOf(variant?.of ?? operation.id);
    const path = variant ? operation.path.replace(`/${variant.value}`, `/:${variant.parameter}`) : operation.path;
    const one = ones.get(name) ?? { name, method, path, variants: [] };
    if (one.variants.length > 0 && !(variant && one.method === method && one.path === path)) {
      throw new Error(`Two operations are called ${name}`);
    }
    one.variants.push(operation);
    ones.set(name, one);
  }
  return [...ones.values()];
}

/** Returns the table with one constant for each operation, so that a bundle has only those that its pages use. */
function tableOf(ones) {
  const entries = ones.map(({ name, method, path: template, variants }) => {
    // A value of several segments, as of policies/password/complexity, is not encoded as one.
    const several = variants.find(({ variant }) => variant?.value.includes("/"))?.variant.parameter;
    const path = several ? template.replace(`:${several}`, `:${several}+`) : template;
    return `export const ${name}: Declared<"${name}"> = ${JSON.stringify({ method, path })};\n`;
  });
  return `import type { Declared } from "../declared";\n\n${entries.join("")}`;
}

function typesOf(ones) {
  const named = new Map();
  const entries = ones.map(({ name, path, variants }) => {
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, part]) => `readonly ${part}: ${valuesOf(part, variants)}`);
    const eachOf = (print) => [...new Set(variants.map(print))].join(" | ");
    const orNone = (schema, isOptional) => `${typeOf(schema, named)}${isOptional ? " | undefined" : ""}`;
    const members = [
      `parameters: ${parameters.length > 0 ? `{ ${parameters.join("; ")} }` : "undefined"};`,
      `query: ${eachOf(({ query }) => (query ? orNone(query, true) : "undefined"))};`,
      `body: ${eachOf(({ body, bodyIsOptional }) => (body ? orNone(body, bodyIsOptional) : "undefined"))};`,
      `answer: ${eachOf(({ answer }) => typeOf(answer, named))};`,
    ];
    return `  ${name}: {\n${members.map((line) => `    ${line}\n`).join("")}  };\n`;
  });
  const schemas = [...named].map(([name, type]) => `  ${name}: ${type};\n`);
  return [
    "/** What an operation takes and answers, by its name. */\n",
    `export interface Operations {\n${entries.join("")}}\n\n`,
    "/** The parts that have a name in the OpenAPI document. */\n",
    `export interface Schemas {\n${schemas.join("")}}\n`,
  ].join("");
}

/** Returns the type of a part of the address: any string, or the names of the variants if it selects one. */
function valuesOf(part, variants) {
  const values = variants.flatMap(({ variant }) => (variant?.parameter === part ? JSON.stringify(variant.value) : []));
  return values.length > 0 ? values.join(" | ") : "string";
}

/**
 * Returns the type of a schema. @param {Map<string, string>} named filled with the schemas that are referred to by
 * name
 */
function typeOf(schema, named) {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  for (const [name, definition] of Object.entries($defs)) define(name, definition, named);
  if (typeof json.id !== "string") return printed(json);
  define(json.id, json, named);
  return reference(json.id);
}

/** Defines a named schema. Throws if another schema has the same name. */
function define(name, definition, named) {
  const type = printed(definition);
  if ((named.get(name) ?? type) !== type) throw new Error(`Two schemas are called ${name}`);
  named.set(name, type);
}

const reference = (name) => `Schemas[${JSON.stringify(name)}]`;

/** Returns the type of a JSON Schema (2020-12), for the parts of the standard that zod writes. */
function printed(schema) {
  if (schema.$ref) return reference(schema.$ref.replace("#/$defs/", ""));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return `(${alternatives.map(printed).join(" | ")})`;
  if (schema.allOf) return `(${schema.allOf.map(printed).join(" & ")})`;
  if (schema.type === "array") return `readonly (${printed(schema.items ?? {})})[]`;
  if (schema.type === "object") return objectOf(schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => printed({ ...schema, type })).join(" | ");
  return PLAIN[schema.type] ?? "unknown";
}

const PLAIN = { string: "string", number: "number", integer: "number", boolean: "boolean", null: "null" };

function objectOf({ properties = {}, required = [], additionalProperties }) {
  const members = Object.entries(properties).map(([name, schema]) => {
    return `readonly ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${printed(schema)}`;
  });
  const others = typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0;
  if (members.length === 0) {
    const value = others ? printed(additionalProperties) : additionalProperties === false ? "never" : "unknown";
    return `{ readonly [name: string]: ${value} }`;
  }
  return `{ ${members.join("; ")} }`;
}

const { operations } = await import(pathToFileURL(process.argv[2]).href);
const ones = calledOnes(operations);
write(inProject("server/api/generated/operations.ts"), typesOf(ones));
write(inProject("shared/generated/operations.ts"), tableOf(ones));
