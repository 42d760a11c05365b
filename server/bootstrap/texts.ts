/**
 * Message texts of the bootstrap file. The rules of the API apply to them, so that no broken message is sent. Contract
 * §6.
 */
import { readBase } from "../directory/policy/languages";
import { readMessageText } from "../storage/text/message-texts";
import { builtInText, type MessageText } from "../texts/built-in";
import { needsApproval } from "../texts/drafts/keep-draft";
import { overInherited } from "../texts/inherited";
import { changeOwnText } from "../texts/level/level-text";
import { checkCodeOrButton, findAddressErrors, findFieldErrors } from "../texts/lint";
import { checkForType, fieldsOf } from "../texts/message-text";
import { ownHosts } from "../texts/own-hosts";
import type { LevelMessageText } from "../texts/text-owner";
import { failAt, type Mistake } from "./mistakes";
import type { Run } from "./run";
import type { MessageTextEntry } from "./schema";

/** Returns errors in the given fields alone, regardless of the inherited texts. @param path of the owner in the file */
export function findWrongTexts(entries: readonly MessageTextEntry[], path: string): Mistake[] {
  return entries.flatMap(({ type, language: _, ...fields }, index): Mistake[] => {
    const at = `${path}.messageTexts[${index}]`;
    const errors = findFieldErrors(type, fields);
    if (errors.length > 0) return errors.map((error) => ({ path: `${at}.${error.field}`, reason: error }));
    const problem = checkForType(type, fields);
    return problem ? [{ path: `${at}.${problem.field}`, reason: problem.reason }] : [];
  });
}

/**
 * Applies the message texts of one owner.
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
    const outcome = await changeOwnText(run.ctx, key, fields);
    // Unchanged texts are not checked again: an inherited text may have changed or a domain may have been lost, which
    // must not prevent the start. Texts that name a foreign address are not sent (texts/usable.ts).
    if (outcome === "unchanged") continue;
    await checkApproval(run, ownerId, `${path}.messageTexts[${index}]`);
    const own = await ownHosts(run.ctx, ownerId === run.instance.id ? undefined : ownerId, run.ctx.tx);
    const [foreign] = fieldsOf(type).flatMap((field) => findAddressErrors(type, field, fields[field] ?? "", own, 1));
    if (foreign) failAt(`${path}.messageTexts[${index}].${foreign.field}`, foreign);
    const lost = checkCodeOrButton(type, await effectiveText(run, key));
    if (lost) failAt(`${path}.messageTexts[${index}]`, lost);
    (outcome === "added" ? run.report.created : run.report.updated).push(`text ${type} ${language} of ${ownerId}`);
  }
}

/** Rejects a changed text if a second person has to approve it: a file is applied at once, or not at all. */
export async function checkApproval(run: Run, ownerId: string, path: string): Promise<void> {
  if (!run.textsMayNeedApproval || !(await needsApproval(run.ctx.tx, ownerId))) return;
  failAt(path, "a change of this text needs a second person's approval: save it by itself, which keeps it as a draft");
}

/**
 * Returns the text in force, including changes of this transaction: the organization's over the instance's over the
 * built-in one.
 */
async function effectiveText({ ctx, instance }: Run, key: LevelMessageText): Promise<MessageText> {
  const levels = key.ownerId === instance.id ? [key] : [{ ...key, ownerId: instance.id }, key];
  let text = builtInText(key.type, await readBase(ctx.tx, key.language));
  for (const level of levels) text = overInherited((await readMessageText(ctx.tx, level)) ?? {}, text);
  return text;
}
