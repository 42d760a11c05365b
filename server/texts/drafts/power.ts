/**
 * Who may change a text that opens or protects accounts. The same rule applies to every way of changing one: editor,
 * API, drafts and their approval, translators' files and resets. The operator's bootstrap file is exempt. Rule TEXT-14.
 */
import type { Context } from "../../context";
import { checkPrivilegesOverReaders } from "../../directory/member/privileges";
import { baseOf } from "../../directory/policy/languages";
import type { ApiError } from "../../protocol/api-error";
import { changeTakesPower, pageTextsOf } from "../pages/page-texts";
import { readPageTexts } from "../pages/resolve-page-texts";
import type { LevelText, OwnText } from "../text-owner";
import { takesPower } from "../variables";

/** Returns an error if the caller may not change a text from one state to the other. */
export type PowerCheck = (before: OwnText, after: OwnText) => ApiError | undefined;

/**
 * Returns a check of the changes that a caller may make to a text. It loads all data beforehand, so that it can be
 * called inside the writing transaction with the stored text.
 * @param organizationId undefined: the instance's text
 */
export async function powerOverText(
  ctx: Context,
  callerId: string,
  organizationId: string | undefined,
  { type, language }: Pick<LevelText, "type" | "language">,
): Promise<PowerCheck> {
  const isOpen = type !== undefined && !takesPower(type);
  const refusal = isOpen ? undefined : await checkPrivilegesOverReaders(ctx, callerId, organizationId);
  if (!refusal) return () => undefined;
  if (type !== undefined) return () => refusal;
  const builtIn = [...pageTextsOf(await baseOf(ctx, language))].map(([name, { text }]) => [name, text]);
  const ofInstance = organizationId === undefined ? {} : await readPageTexts(ctx, language, undefined);
  // Clients send back all texts that they have read: a text equal to the inherited one is not a change.
  const inherited: OwnText = { ...Object.fromEntries(builtIn), ...ofInstance };
  return (before, after) =>
    changeTakesPower({ ...inherited, ...before }, { ...inherited, ...after }) ? refusal : undefined;
}
