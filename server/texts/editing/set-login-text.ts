/** Sets and resets the page texts of one level (instance or organization) in one language. Rule TEXT-8. */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import type { Language } from "../../directory/policy/languages";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, aborted, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readAggregate } from "../../storage/event/event";
import {
  deleteLoginText,
  type LoginTextKey,
  lockLoginText,
  loginTextId,
  readLoginText,
} from "../../storage/text/login-texts";
import { powerOverText } from "../drafts/power";
import { needsApproval, saveText, type TextSaved } from "../drafts/save";
import { ownHosts } from "../own-hosts";
import { checkPageTexts, findLoginTextKey, type LoginTextTarget } from "../pages/level-page-texts";
import { flatPageTexts } from "../pages/page-texts";

/** Converts the key to that of a text without a message type. */
const pages = (key: LoginTextKey & { language: Language }) => ({ ...key, type: undefined });

export interface SetLoginText extends LoginTextTarget {
  words: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>;
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

/** Replaces all texts of the level in the language; texts that are omitted or empty fall back. */
export async function setLoginText(ctx: Context, request: SetLoginText, origin: Origin): Promise<TextSaved | ApiError> {
  const found = await findLoginTextKey(ctx, request);
  if (isApiError(found)) return found;
  const { key, base } = found;
  const wanted = flatPageTexts(request.words);
  const refusal = checkPageTexts(base, wanted, await ownHosts(ctx, request.organizationId));
  if (refusal) return refusal;
  const checkPower = await powerOverText(ctx, origin.actor, request.organizationId, pages(key));
  return changeDirectory(ctx, async (tx): Promise<TextSaved | ApiError> => {
    await lockLoginText(ctx.db, tx, key);
    const refused = checkPower((await readLoginText(tx, key)) ?? {}, wanted);
    return refused ?? (await checkSeen(tx, key, request.ifMatch)) ?? saveText(ctx, tx, pages(key), wanted, origin);
  });
}

/** Removes the texts of one level and language, so that the inherited ones apply; 404 if there are none. */
export async function resetLoginText(
  ctx: Context,
  request: LoginTextTarget & { ifMatch?: string },
  origin: Origin,
): Promise<TextSaved | ApiError> {
  const found = await findLoginTextKey(ctx, request);
  if (isApiError(found)) return found;
  const { key } = found;
  const checkPower = await powerOverText(ctx, origin.actor, request.organizationId, pages(key));
  return changeDirectory(ctx, async (tx): Promise<TextSaved | ApiError> => {
    await lockLoginText(ctx.db, tx, key);
    const refusal = await checkSeen(tx, key, request.ifMatch);
    if (refusal) return refusal;
    const words = await readLoginText(tx, key);
    if (!words) return notFound("login_text.not_found", "There are no custom texts here to reset.");
    const refused = checkPower(words, {});
    if (refused) return refused;
    if (await needsApproval(tx, key.ownerId)) return saveText(ctx, tx, pages(key), {}, origin);
    const details = await recordIn(ctx, tx, {
      type: "login_text.removed",
      aggregateId: loginTextId(key),
      resourceOwner: key.ownerId,
      origin,
      async state() {
        await deleteLoginText(tx, key);
        const nothing = Object.fromEntries(Object.keys(words).map((name) => [name, null]));
        return { payload: { words: { from: words, to: nothing } } };
      },
    });
    return { details };
  });
}

/** Checks If-Match (RFC 9110 §13.1.1) inside the writing transaction. */
async function checkSeen(tx: Transaction, key: LoginTextKey, ifMatch: string | undefined) {
  if (ifMatch === undefined) return undefined;
  const named = ifMatch.split(",").map((tag) => tag.trim().replace(/^"(.*)"$/, "$1"));
  if (!named.every((tag) => /^(\d{1,19}|\*)$/.test(tag))) {
    const field = "If-Match";
    return invalidArgument("request.if_match", "Send the sequence of the details in If-Match, or *.", { field });
  }
  const sequence = (await readAggregate(tx, "login_text", loginTextId(key)))?.sequence ?? 0;
  if (named.includes(String(sequence)) || (named.includes("*") && (await readLoginText(tx, key)))) return undefined;
  const reason = "The words have changed meanwhile: read them again, then decide.";
  return aborted("login_text.sequence_mismatch", reason, { status: 412 });
}
