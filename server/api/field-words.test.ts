import { describe, expect, it } from "vitest";
import words from "../../docs/api-fields.json";
import { openApiDocument } from "./docs/openapi";
import { fieldWords } from "./field-words";

type Json = Record<string, unknown>;

interface Entry {
  operationId?: string;
  parameters: { name: string; description?: string }[];
  requestBody?: unknown;
  responses: unknown;
}

const document = openApiDocument({ baseUrl: "http://localhost", authUrl: "http://localhost" }) as {
  paths: Record<string, Record<string, Entry>>;
  components: { schemas: Record<string, Json> };
};

/** Returns the paths of the members without a description. */
function undescribed(value: unknown, place: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties, ...rest } = value as { properties?: Record<string, Json> };
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => [
      ...(typeof member.description === "string" && member.description !== "" ? [] : [`${place}.${name}`]),
      ...undescribed(member, `${place}.${name}`),
    ]),
    ...Object.values(rest).flatMap((inner) => undescribed(inner, place)),
  ];
}

describe("the fields of the operations", () => {
  it("are all described", () => {
    const missing = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, parameters, requestBody, responses }]) => {
        const place = operationId ?? `${method.toUpperCase()} ${path}`;
        return [
          ...parameters.filter(({ description }) => !description).map(({ name }) => `${place} (${name})`),
          ...undescribed(requestBody, place),
          ...undescribed(responses, place),
        ];
      }),
    );
    const inSchemas = Object.entries(document.components.schemas).flatMap(([id, schema]) => undescribed(schema, id));
    expect([...new Set([...missing, ...inSchemas])]).toEqual([]);
  });

  it("have descriptions that are all used and defined once", () => {
    const text = JSON.stringify(document);
    const unused = [...fieldWords].filter(([, words]) => !text.includes(JSON.stringify(words).slice(1, -1)));
    expect(unused.map(([name]) => name)).toEqual([]);
    const names = Object.values(words).flatMap((group) => Object.keys(group));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
