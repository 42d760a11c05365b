/** Converts JSON Schema to fields with readable types, and makes an example that the schema accepts. */
import type { SchemaField, TypePart } from "../../../components/docs/model";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
  example?: unknown;
};

/** The maximum depth of described objects. */
const MAX_DEPTH = 4;
const MAX_WORDS = 12;

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

/** The fields of an object; those of nested objects have dotted names. */
export function readableFields(schema: Schema, prefix = "", depth = 0): SchemaField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    const { items } = member;
    const inner = member.properties ? member : items?.properties ? items : undefined;
    const field: SchemaField = {
      name,
      type: typeWords(member),
      isRequired: schema.required?.includes(key) ?? false,
      ...(member.description !== undefined && { description: member.description }),
    };
    if (!inner || depth >= MAX_DEPTH) return [field];
    return [field, ...readableFields(inner, `${name}${inner === items ? "[]" : ""}.`, depth + 1)];
  });
}

export function typeWords(schema: Schema): TypePart[] {
  if (schema.$ref !== undefined) return [{ schema: nameOf(schema.$ref) }];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) {
    const shown = schema.enum.slice(0, MAX_WORDS).map(String).join(", ");
    return [`one of ${shown}${schema.enum.length > MAX_WORDS ? " …" : ""}`];
  }
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) {
    return choices.flatMap((choice, index) => (index > 0 ? [" or ", ...typeWords(choice)] : typeWords(choice)));
  }
  if (schema.type === "array") return ["list of ", ...typeWords(schema.items ?? {})];
  if (schema.format === "date-time") return ["time"];
  if (schema.format === "date") return ["date"];
  const word = Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type;
  return [word ?? "any value"];
}

/** Returns a value of the schema: the required members of an object, or the first one if none is required. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>, name = "", depth = 0): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[nameOf(schema.$ref)] ?? {}, schemas, name, depth);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice) return exampleOf(choice, schemas, name, depth);
  if (schema.properties) {
    if (depth > MAX_DEPTH) return {};
    const members = Object.entries(schema.properties).filter(([key]) => schema.required?.includes(key));
    return Object.fromEntries(members.map(([key, member]) => [key, exampleOf(member, schemas, key, depth + 1)]));
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "array":
      return schema.items ? [exampleOf(schema.items, schemas, name, depth + 1)] : [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 1;
    case "object":
      return {};
    default:
      return EXAMPLES[name] ?? (schema.format === "date-time" ? "2030-01-01T00:00:00Z" : `a ${name || "text"}`);
  }
}

/** Typical values of fields with these names. */
const EXAMPLES: Readonly<Record<string, string>> = {
  userName: "ada",
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  phone: "+441234567890",
  domain: "example.com",
  name: "Shop",
  roleKey: "reader",
  roleKeys: "reader",
  projectId: "1234",
  userId: "1234",
  uri: "https://shop.example/callback",
};
