/**
 * Descriptions of request and response fields whose schema has none, from docs/api-fields.json. A field name usually
 * has one meaning and one entry. Where meanings differ, the key of the entry includes the parent (`roles.key`,
 * `App.oidcConfig`, `path.id` for a path parameter) or the type (`email{}` for an object, `details[]` for an array).
 */
import words from "../../docs/api-fields.json";

const entries = Object.values(words).flatMap((group) => Object.entries(group));
export const fieldWords: ReadonlyMap<string, string> = new Map(entries);

type Json = Record<string, unknown>;

/** The keys of the entries that were used. */
export type Used = Set<string>;

/**
 * Returns the description of a field, or undefined.
 * @param parents names of the parents, nearest first
 */
export function wordsFor(name: string, schema: Json, parents: readonly string[], used?: Used): string | undefined {
  const form = schema.properties ? `${name}{}` : schema.type === "array" ? `${name}[]` : undefined;
  const keys = [...parents.map((parent) => `${parent}.${name}`), ...(form === undefined ? [] : [form]), name];
  const key = keys.find((one) => fieldWords.has(one));
  if (key !== undefined) used?.add(key);
  return key === undefined ? undefined : fieldWords.get(key);
}

/** Adds a description, in place, to every member that has none. */
export function describeMembers(schema: Json, parents: readonly string[], used?: Used): void {
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    if (member.description === undefined) {
      const description = wordsFor(name, member, parents, used);
      if (description !== undefined) member.description = description;
    }
    describeMembers(member, [name, ...parents.slice(-1)], used);
  }
  for (const part of ["items", "additionalProperties"] as const) {
    const inner = schema[part];
    if (typeof inner === "object" && inner !== null) describeMembers(inner as Json, parents, used);
  }
  for (const choices of [schema.anyOf, schema.oneOf, schema.allOf] as (Json[] | undefined)[]) {
    for (const choice of choices ?? []) describeMembers(choice, parents, used);
  }
}
