/** Schemas of answers as tests hold answers against them: with no member that nobody promised. */
import { z } from "zod";

/** The same schema, all of its objects refusing members they do not name. */
export function strictAnswer(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    // An object that says itself what else it may have keeps saying so.
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
