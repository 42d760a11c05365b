/** The languages of a test run: EVERY_LANGUAGE=1 selects all, EVERY_LANGUAGE=ar,he selects these. */
import { type LocaleTag, locales } from "../messages/locales";

const asked = process.env.EVERY_LANGUAGE;
const tags: readonly LocaleTag[] = locales.map(({ tag }) => tag);

/** The selected languages; undefined in a usual run. */
export const askedLanguages: readonly LocaleTag[] | undefined = asked ? chosen(asked) : undefined;

function chosen(list: string): readonly LocaleTag[] {
  if (list === "1") return tags;
  const found = list.split(",").map((name) => name.trim());
  const unknown = found.filter((name) => !tags.some((tag) => tag === name));
  if (unknown.length > 0) throw new Error(`EVERY_LANGUAGE names no language of messages/: ${unknown.join(", ")}`);
  return tags.filter((tag) => found.includes(tag));
}
