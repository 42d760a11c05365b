/** The names and the address that users type when they set up an account, and what can be wrong with them. */
import type { z } from "zod";
import { email, line, MAX_EMAIL_LENGTH } from "../directory/fields";

export const MAX_PERSON_NAME_LENGTH = 100;

interface TextRule {
  rule: z.ZodType;
  /** Characters. */
  maximum: number;
}
export const ADDRESS_RULE: TextRule = { rule: email, maximum: MAX_EMAIL_LENGTH };
export const NAME_RULE: TextRule = { rule: line(MAX_PERSON_NAME_LENGTH), maximum: MAX_PERSON_NAME_LENGTH };

type TextProblem = "missing" | "too-long" | "invalid";

export function problemOfText(value: string, { rule, maximum }: TextRule): TextProblem | undefined {
  const typed = value.trim();
  if (typed === "") return "missing";
  if (rule.safeParse(typed).success) return undefined;
  return [...typed].length > maximum ? "too-long" : "invalid";
}

export interface TypedNames {
  givenName: string;
  familyName: string;
}

/** Returns the problems of the two names. */
export function problemsOfNames(names: TypedNames): Partial<Record<keyof TypedNames, TextProblem>> {
  const of = (["givenName", "familyName"] as const).map((field) => [field, problemOfText(names[field], NAME_RULE)]);
  return Object.fromEntries(of.filter(([, problem]) => problem !== undefined));
}
