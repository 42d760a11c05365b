// The refusal of an operation (rule API-1), for pages and scripts.

export interface ShownProblem {
  /** Stable slug, such as `user.name_taken`. */
  id: string;
  /** The message in the language of the page if it is translated (server/http/refusal-texts.ts), else in English. */
  message: string;
  /** The field of the request that the problem is about. */
  field?: string;
  /** The label of that field, if the page itself found the mistake. */
  label?: string;
  /** The position in the field, in characters from 0. */
  position?: number;
  /** The maximum length of the field, in characters. */
  limit?: number;
  /** A suggested replacement. */
  suggestion?: string;
}

export interface Refusal extends ShownProblem {
  /** All problems of the request, including this one, which comes first. */
  problems: readonly ShownProblem[];
}

export type Answer<T> = { ok: true; status: number; body: T } | { ok: false; status: number; refusal: Refusal };

/** Returns a placeholder for a missing response; the page shows its own text. */
export const noAnswer = (): Answer<never> => {
  const nothing = { id: "", message: "" };
  return { ok: false, status: 0, refusal: { ...nothing, problems: [nothing] } };
};

/**
 * Parses a refusal.
 * @param body the body of the failed response: parsed JSON, or undefined if it was not JSON
 */
export function readRefusal(body: unknown): Refusal {
  const { message = "", details } = (body ?? {}) as { message?: string; details?: readonly Partial<ShownProblem>[] };
  const problems = (details ?? []).map((detail) => ({
    ...detail,
    id: detail.id ?? "",
    message: detail.message ?? message,
  }));
  const [first = { id: "", message }] = problems;
  return { ...first, message: message || first.message, problems: problems.length > 0 ? problems : [first] };
}

/** Returns the sentence to show next to its field, without the field's name in front (`profile.firstName: …`). */
export function besideField({ field }: ShownProblem, sentence: string): string {
  const name = `${field}: `;
  return sentence.startsWith(name) ? sentence.slice(name.length) : sentence;
}

/** Reads a response of the APIs. */
export async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
  const { ok, status } = response;
  return ok ? { ok, status, body: body as T } : { ok, status, refusal: readRefusal(body) };
}
