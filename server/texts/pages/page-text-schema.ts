/** The schema of the page texts: groups of keys, as used by the API and the bootstrap file. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { PAGE_TEXT_LIMIT } from "./check-page-text";
import { LOGIN_TEXT_GROUPS, pageTextsOf } from "./page-texts";

const english = pageTextsOf("en");
const groupShapes = Object.entries(LOGIN_TEXT_GROUPS).map(([group, keys]) => {
  const shape = keys.map((key) => {
    const meta = { description: `Built-in: ${english.get(`${group}.${key}`)?.text}`, maxLength: PAGE_TEXT_LIMIT };
    return [key, z.string().optional().meta(meta)] as const;
  });
  return [group, strict(Object.fromEntries(shape)).optional()] as const;
});

/** The groups of texts, each a schema of its keys. */
export const loginTextGroups = Object.fromEntries(groupShapes);
