/** Which languages a test walks: EVERY_LANGUAGE=1 asks for all of them, EVERY_LANGUAGE=ar,he for these. */
import { type LocaleTag, locales } from "../messages/locales";

const asked = process.env.EVERY_LANGUAGE;
const tags: readonly LocaleTag[] = locales.map(({ tag }) => tag);

/** Those somebody asked for; undefined in a usual run. */
export const askedLanguages: readonly LocaleTag[] | undefined = asked ? chosen(asked) : undefined;

function chosen(list: string): readonly LocaleTag[] {
  if (list === "1") return tags;
  const found = list.split(",").map((name) => name.trim());
  const unknown = found.filter((name) => !tags.some((tag) => tag === name));
  if (unknown.length > 0) throw new Error(`EVERY_LANGUAGE names no language of messages/: ${unknown.join(", ")}`);
  return tags.filter((tag) => found.includes(tag));
}
