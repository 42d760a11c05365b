/** Strict schemas of responses for tests: they reject undeclared members. */
import { z } from "zod";

/** Returns the schema with all of its objects rejecting undeclared members. */
export function strictAnswer(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    // An object that declares its further members keeps that declaration.
    if (schema.def.catchall !== undefined) return schema;
    return z.strictObject(Object.fromEntries(shape.map(([name, member]) => [name, strictAnswer(member)])));
  }
  if (schema instanceof z.ZodArray) return z.array(strictAnswer(schema.element as z.ZodType));
  if (schema instanceof z.ZodOptional) return strictAnswer(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodNullable) return strictAnswer(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => strictAnswer(option as z.ZodType)));
  if (schema instanceof z.ZodRecord) return z.record(schema.keyType, strictAnswer(schema.valueType as z.ZodType));
  return schema;
}
