/** Message texts of the bootstrap file. They obey the rules of the API: no message goes out broken. Contract §6. */
import { readMessageText } from "../storage/message-texts";
import { overBeneath } from "../texts/beneath";
import { builtInText, type MessageText } from "../texts/built-in";
import { checkCodeOrButton, findFieldErrors } from "../texts/lint";
import { checkForType } from "../texts/message-text";
import { changeOverride, type OverrideKey } from "../texts/override";
import { fail, type Mistake } from "./mistakes";
import type { Run } from "./run";
import type { MessageTextEntry } from "./schema";

/** What is wrong with the fields by themselves, whatever they lie over. @param path of the owner in the file */
export function findWrongTexts(entries: readonly MessageTextEntry[], path: string): Mistake[] {
  return entries.flatMap(({ type, language: _, ...fields }, index) => {
    const at = `${path}.messageTexts[${index}]`;
    const errors = findFieldErrors(type, fields);
    if (errors.length > 0) return errors.map(({ field, message }) => ({ path: `${at}.${field}`, reason: message }));
    const problem = checkForType(type, fields);
    return problem ? [{ path: `${at}.${problem.field}`, reason: problem.reason }] : [];
  });
}

/**
 * @param ownerId an organization or the instance
 * @param path of the owner in the file
 */
export async function applyTexts(
  run: Run,
  ownerId: string,
  entries: readonly MessageTextEntry[],
  path: string,
): Promise<void> {
  for (const [index, { type, language, ...fields }] of entries.entries()) {
    const key = { ownerId, type, language };
    const outcome = await changeOverride(run.ctx, run.tx, key, fields, run.origin);
    // What stands is not judged again: what is beneath it may have changed since, and the service is to start.
    if (outcome === "unchanged") continue;
    const lost = checkCodeOrButton(type, await effectiveText(run, key));
    if (lost) fail(`${path}.messageTexts[${index}]`, lost.message);
    (outcome === "added" ? run.report.created : run.report.updated).push(`text ${type} ${language} of ${ownerId}`);
  }
}

/** What people get, as written so far: the built-in text, over it the instance's, over it the organization's. */
async function effectiveText({ tx, instance }: Run, key: OverrideKey): Promise<MessageText> {
  const levels = key.ownerId === instance.id ? [key] : [{ ...key, ownerId: instance.id }, key];
  let text = builtInText(key.type, key.language);
  for (const level of levels) text = overBeneath((await readMessageText(tx, level)) ?? {}, text);
  return text;
}
