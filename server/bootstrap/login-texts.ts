/** Page texts in the bootstrap file, by the rules of the API. */
import { readBase } from "../directory/policy/languages";
import { readLoginText } from "../storage/text/login-texts";
import { replaceOwnText } from "../texts/level/level-text";
import { ownHosts } from "../texts/own-hosts";
import { checkPageTexts } from "../texts/pages/level-page-texts";
import { flatPageTexts } from "../texts/pages/page-texts";
import { orFail } from "./mistakes";
import type { Run } from "./run";
import type { LoginTextEntry } from "./schema";
import { checkApproval } from "./texts";

/**
 * Applies page texts. Unchanged words are not checked again: a domain may have been lost, which must not prevent the
 * start; texts that name it are not shown (texts/pages/resolve-page-texts.ts).
 * @param ownerId an organization or the instance
 * @param path of the owner in the file
 */
export async function applyLoginTexts(
  run: Run,
  ownerId: string,
  entries: readonly LoginTextEntry[],
  path: string,
): Promise<void> {
  const { ctx, instance, report } = run;
  for (const [index, { language, ...groups }] of entries.entries()) {
    const key = { ownerId, language };
    const words = flatPageTexts(groups);
    const before = await readLoginText(ctx.tx, key);
    const names = Object.keys({ ...before, ...words });
    if (names.every((name) => before?.[name] === words[name])) continue;
    await checkApproval(run, ownerId, `${path}.loginTexts[${index}]`);
    const own = await ownHosts(ctx, ownerId === instance.id ? undefined : ownerId, ctx.tx);
    orFail(checkPageTexts(await readBase(ctx.tx, language), words, own), `${path}.loginTexts[${index}]`);
    await replaceOwnText(ctx, { ...key, type: undefined }, words);
    (before ? report.updated : report.created).push(`words of the pages in ${language} of ${ownerId}`);
  }
}
