// The operations of the management APIs as the console calls them: a table of their addresses, which browsers load entry
// by entry, and the types of what goes over the wire, which nobody loads. Both are made from the declarations in
// server/api, so that no page writes an address or the shape of an answer by hand.
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

/** Ids of remote procedures begin with their package, which no name in TypeScript can. */
const nameOf = (id) => id.replace(/^.*\./, "");

/**
 * The operations as the console calls them: those that differ only in one part of their address are one, with that part
 * as a parameter.
 */
function calledOnes(operations) {
  const ones = new Map();
  for (const operation of operations) {
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

/** One constant each, so that a bundle has only those that its pages use. */
function tableOf(ones) {
  const entries = ones.map(({ name, method, path }) => {
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

/** What may stand in a part of the address: anything, but where it chooses among operations. */
function valuesOf(part, variants) {
  const values = variants.flatMap(({ variant }) => (variant?.parameter === part ? JSON.stringify(variant.value) : []));
  return values.length > 0 ? values.join(" | ") : "string";
}

/** @param {Map<string, string>} named filled with the schemas that are referred to by name */
function typeOf(schema, named) {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  for (const [name, definition] of Object.entries($defs)) define(name, definition, named);
  if (typeof json.id !== "string") return printed(json);
  define(json.id, json, named);
  return reference(json.id);
}

/** The same name for two things would make one of them wrong. */
function define(name, definition, named) {
  const type = printed(definition);
  if ((named.get(name) ?? type) !== type) throw new Error(`Two schemas are called ${name}`);
  named.set(name, type);
}

const reference = (name) => `Schemas[${JSON.stringify(name)}]`;

/** JSON Schema (2020-12), as far as zod writes it, as a type. */
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
