/**
 * What the fields of requests and answers mean, where their schema does not say it. A name means the same everywhere,
 * so it is described once; where it does not, an entry names what it is part of (`roles.key`, `App.oidcConfig`, `path.id`
 * for a part of an address) or its form (`email{}`, `details[]`).
 */
import { appWords } from "./apps";
import { peopleWords } from "./people";
import { policyWords } from "./policies";
import { serviceWords } from "./service";

export const fieldWords: ReadonlyMap<string, string> = new Map(
  [peopleWords, appWords, serviceWords, policyWords].flatMap((words) => Object.entries(words)),
);

type Json = Record<string, unknown>;

/** Used entries, for the test that finds those that nothing uses. */
export type Used = Set<string>;

/** @param parents what the field is part of, the nearest first */
export function wordsFor(name: string, schema: Json, parents: readonly string[], used?: Used): string | undefined {
  const form = schema.properties ? `${name}{}` : schema.type === "array" ? `${name}[]` : undefined;
  const keys = [...parents.map((parent) => `${parent}.${name}`), ...(form === undefined ? [] : [form]), name];
  const key = keys.find((one) => fieldWords.has(one));
  if (key !== undefined) used?.add(key);
  return key === undefined ? undefined : fieldWords.get(key);
}

/** Describes every member that has no description yet, in place. */
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
