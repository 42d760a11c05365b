/**
 * Who may change a text: in which languages, whether a change is only a proposal, and the power that texts take which
 * open or protect accounts. The same rules apply to every way of changing one: editor, API, drafts and their approval,
 * translators' files and resets. The operator and the service itself are exempt. Rules TEXT-14 and TEXT-15.
 */
import type { Context } from "../../context";
import { findInstance } from "../../directory/instance";
import { isOperator } from "../../directory/member/answerable";
import { hasPermission, listPermittedLanguages } from "../../directory/member/permissions";
import { checkPrivilegesOverReaders } from "../../directory/member/privileges";
import { baseOf } from "../../directory/policy/languages";
import { type ApiError, permissionDenied } from "../../protocol/api-error";
import { changeTakesPower, pageTextsOf } from "../pages/page-texts";
import { readPageTexts } from "../pages/resolve-page-texts";
import type { LevelText, OwnText } from "../text-owner";
import { takesPower } from "../variables";

/** What a caller may do to a text. */
export interface TextRights {
  /** Every change waits for someone else's approval: the caller may propose texts, but not publish them. */
  isProposal: boolean;
  checkPower: PowerCheck;
}

/**
 * Returns what the caller may do to the text, or an error if they may not change it in its language. A proposal takes
 * no power, as the person who approves it must have that power.
 */
export async function rightsOverText(ctx: Context, callerId: string, text: LevelText): Promise<TextRights | ApiError> {
  if (await isOperator(ctx.db.prisma, callerId)) return { isProposal: false, checkPower: () => undefined };
  const { ownerId, language } = text;
  const isOfInstance = ownerId === (await findInstance(ctx)).id;
  const organizationId = isOfInstance ? undefined : ownerId;
  const publishing = async () => ({
    isProposal: false,
    checkPower: await powerOverText(ctx, callerId, organizationId, text),
  });
  if (organizationId === undefined) {
    return (await hasPermission(ctx, callerId, "iam.policy.write")) ? publishing() : otherLanguage([]);
  }
  const written = await listPermittedLanguages(ctx, callerId, "text.write", organizationId);
  if (!written || written.includes(language)) return publishing();
  const proposed = await listPermittedLanguages(ctx, callerId, "text.propose", organizationId);
  if (!proposed || proposed.includes(language)) return { isProposal: true, checkPower: () => undefined };
  return otherLanguage(proposed);
}

/** Returns an error if the caller may not publish the text, but at most propose it. */
export async function checkPublishing(ctx: Context, callerId: string, text: LevelText): Promise<PowerCheck | ApiError> {
  const rights = await rightsOverText(ctx, callerId, text);
  if ("code" in rights) return rights;
  return rights.isProposal ? otherLanguage([]) : rights.checkPower;
}

const otherLanguage = (languages: readonly string[]): ApiError =>
  permissionDenied(
    "access.text_language",
    languages.length === 0
      ? "Your roles do not let you publish this text. Ask an administrator for one that does."
      : `Your roles let you change texts in ${languages.join(", ")} only. Ask an administrator to add this language.`,
  );

/** Returns an error if the caller may not change a text from one state to the other. */
export type PowerCheck = (before: OwnText, after: OwnText) => ApiError | undefined;

/**
 * Returns a check of the changes that a caller may make to a text. It loads all data beforehand, so that it can be
 * called inside the writing transaction with the stored text.
 * @param organizationId undefined: the instance's text
 */
async function powerOverText(
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
