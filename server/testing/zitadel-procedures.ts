/**
 * What of each procedure of ZITADEL is answered here, compared field by field: those of its messages with the members
 * that the operation takes and answers.
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { z } from "zod";
import { bridgedProcedures } from "../api/zitadel/bridge";
import { zitadelServiceNames } from "../api/zitadel/descriptors";

export interface ComparedProcedure {
  service: string;
  name: string;
  /** The id of the operation; undefined if the procedure is not here. */
  operation?: string;
  /** Fields of the request that are ignored. */
  ignored: readonly string[];
  /** Fields of the answer that stay empty. */
  empty: readonly string[];
}

type Json = Record<string, unknown>;

/**
 * Fields that are ignored or empty everywhere, as docs/zitadel.md says once; the bridge fills `isDefault`, and the
 * details of lists.
 */
const EVERYWHERE =
  /^isDefault$|(?:^|\.)(?:sortingColumn|details\.sequence|processedSequence|\w*[aA]vatarUrl|fontUrl|saml(?:Config\w*|Request)|samlAppOnly|entityIdFilter)$/;

/** Details of lists, and of objects with their times. */
const MADE_BY_BRIDGE: readonly string[] = ["zitadel.v1.ListDetails", "zitadel.v1.ObjectDetails"];

export async function comparedProcedures(): Promise<ComparedProcedure[]> {
  const compared: ComparedProcedure[] = [];
  for (const service of [...zitadelServiceNames].sort()) {
    for (const { method, bridge } of await bridgedProcedures(service)) {
      const { name, input, output } = method;
      if (!bridge) compared.push({ service, name, ignored: [], empty: [] });
      else {
        const { operation, inPath, shape } = bridge;
        const taken = operation.body ?? operation.query;
        const isOwn = (field: string) => !EVERYWHERE.test(field) && !inPath.includes(field);
        const ignored = (
          shape?.ignored.filter((path) => hasField(input, path)) ?? missing(input, taken, "input")
        ).filter(isOwn);
        const empty = (
          shape?.empty.filter((path) => hasField(output, path)) ?? missing(output, operation.answer, "output")
        ).filter(isOwn);
        compared.push({ service, name, operation: operation.id, ignored, empty });
      }
    }
  }
  return compared;
}

/** Whether the message of this version has a field that is declared for several versions. */
function hasField(message: DescMessage, path: string): boolean {
  const [first, ...rest] = path.split(".");
  const field = message.fields.find(({ jsonName }) => jsonName === first);
  if (!field || rest.length === 0) return field !== undefined;
  return field.message !== undefined && hasField(field.message, rest.join("."));
}

function missing(message: DescMessage, schema: z.ZodType | undefined, io: "input" | "output"): string[] {
  const root = schema ? (z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json) : {};
  const definitions = (root.$defs ?? {}) as Record<string, Json>;
  return fieldsNotIn(message, [root], definitions, [], "");
}

function fieldsNotIn(
  message: DescMessage,
  nodes: readonly Json[],
  definitions: Record<string, Json>,
  within: readonly string[],
  above: string,
): string[] {
  if (within.includes(message.typeName)) return [];
  const all = nodes.flatMap((node) => alternatives(node, definitions));
  // A record takes any name.
  if (all.some(({ additionalProperties }) => typeof additionalProperties === "object")) return [];
  if (message.typeName.startsWith("google.protobuf.")) return [];
  return message.fields.flatMap((field) => {
    const path = `${above}${field.jsonName}`;
    const found = all.flatMap(
      ({ properties }) => (properties as Record<string, Json> | undefined)?.[field.jsonName] ?? [],
    );
    // Members of a query have the whole path as their name.
    const isInQuery = all.some(({ properties }) =>
      Object.keys((properties as Json | undefined) ?? {}).some((name) => name.startsWith(`${field.jsonName}.`)),
    );
    if (isInQuery) return [];
    if (found.length === 0) {
      const isDated = all.some(({ properties }) =>
        Object.hasOwn((properties as Json | undefined) ?? {}, "creationDate"),
      );
      const made = isDated ? MADE_BY_BRIDGE : MADE_BY_BRIDGE.slice(0, 1);
      return made.includes(field.message?.typeName ?? "") ? [] : [path];
    }
    if (!field.message) return [];
    const inner = found
      .flatMap((one) => alternatives(one as Json, definitions))
      .map((one) => (one.items ?? one) as Json);
    return fieldsNotIn(field.message, inner, definitions, [...within, message.typeName], `${path}.`);
  });
}

function alternatives(node: Json, definitions: Record<string, Json>): Json[] {
  if (typeof node.$ref === "string")
    return alternatives(definitions[node.$ref.split("/").at(-1) ?? ""] ?? {}, definitions);
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((way) => (node[way] ?? []) as Json[]);
  return [node, ...inner.flatMap((one) => alternatives(one, definitions))];
}
