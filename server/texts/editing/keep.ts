/**
 * Confirms that customized texts remain although the built-in ones have changed since: from then on they count as
 * replacements of today's texts, and no confirmation is requested again.
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { readBase } from "../../directory/policy/languages";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { lockLoginText, loginTextId, readLoginTextRow, writeLoginText } from "../../storage/text/login-texts";
import { lockMessageText, readMessageText, writeReplacedTexts } from "../../storage/text/message-texts";
import { builtInText } from "../built-in";
import { MESSAGE_FIELDS } from "../message-text";
import { overrideId } from "../override";
import { findLoginTextKey, type LoginTextTarget } from "../pages/level-page-texts";
import { pageTextsOf } from "../pages/page-texts";
import { findTarget, type TextTarget } from "../text-owner";

type Texts = Readonly<Record<string, string>>;

/** Returns the customized texts whose replaced built-in text differs from today's. */
const outdated = (replaced: Texts, now: Texts): string[] =>
  Object.keys(now).filter((field) => replaced[field] !== undefined && replaced[field] !== now[field]);

export async function keepMessageText(
  ctx: Context,
  request: TextTarget,
  origin: Origin,
): Promise<{ details: Details } | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key } = target;
  const details = await changeDirectory(ctx, async (tx) => {
    await lockMessageText(ctx.db, tx, key);
    return recordIn(ctx, tx, {
      type: "message_text.kept",
      aggregateId: overrideId(key),
      resourceOwner: key.ownerId,
      origin,
      async state() {
        const stored = await readMessageText(tx, key);
        const builtIn = builtInText(key.type, await readBase(tx, key.language));
        const customized = MESSAGE_FIELDS.filter((field) => stored?.[field]);
        const now = Object.fromEntries(customized.map((field) => [field, builtIn[field]]));
        const fields = outdated((stored?.replaced ?? {}) as Texts, now);
        if (fields.length === 0) return UNCHANGED;
        await writeReplacedTexts(tx, key, now);
        return { payload: { fields } };
      },
    });
  });
  return { details };
}

export async function keepLoginText(
  ctx: Context,
  request: LoginTextTarget,
  origin: Origin,
): Promise<{ details: Details } | ApiError> {
  const found = await findLoginTextKey(ctx, request);
  if (isApiError(found)) return found;
  const { key } = found;
  const details = await changeDirectory(ctx, async (tx) => {
    await lockLoginText(ctx.db, tx, key);
    return recordIn(ctx, tx, {
      type: "login_text.kept",
      aggregateId: loginTextId(key),
      resourceOwner: key.ownerId,
      origin,
      async state(_, at) {
        const stored = await readLoginTextRow(tx, key);
        const known = pageTextsOf(await readBase(tx, key.language));
        const customized = Object.keys(stored?.words ?? {}).filter((name) => known.has(name));
        const now = Object.fromEntries(customized.map((name) => [name, known.get(name)?.text ?? ""]));
        const fields = outdated(stored?.replaced ?? {}, now);
        if (!stored || fields.length === 0) return UNCHANGED;
        await writeLoginText(tx, key, { ...stored, replaced: now }, at);
        return { payload: { fields } };
      },
    });
  });
  return { details };
}
