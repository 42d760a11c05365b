/**
 * Who may change a text that opens or protects accounts: one rule for every way to change one (editor, API, drafts and
 * their approval, translators' files, resets). The operator's bootstrap file is excepted. Rule TEXT-14.
 */
import type { Context } from "../../context";
import { checkPrivilegesOverReaders } from "../../directory/member/privileges";
import { baseOf } from "../../directory/policy/languages";
import type { ApiError } from "../../protocol/api-error";
import { readWords } from "../login/resolve";
import { changeTakesPower, wordsOf } from "../login/words";
import { takesPower } from "../variables";
import type { LevelText, OwnText } from "./level-text";

/** The refusal of a change of a text from one state to another. */
export type PowerCheck = (before: OwnText, after: OwnText) => ApiError | undefined;

/**
 * The check of what a caller changes in a text. It reads all that it needs beforehand, so that it can be asked inside
 * the transaction that writes, about what is stored there.
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
  const builtIn = [...wordsOf(await baseOf(ctx, language))].map(([name, { text }]) => [name, text]);
  const ofInstance = organizationId === undefined ? {} : await readWords(ctx, language, undefined);
  // Clients send back all words that they have read: a word that says what applies anyway changes nothing.
  const inherited: OwnText = { ...Object.fromEntries(builtIn), ...ofInstance };
  return (before, after) =>
    changeTakesPower({ ...inherited, ...before }, { ...inherited, ...after }) ? refusal : undefined;
}
