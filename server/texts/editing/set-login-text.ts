/** Sets and resets the page texts of one level (instance or organization) in one language. Rule TEXT-8. */
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { TextSaved } from "../drafts/keep-draft";
import { ownHosts } from "../own-hosts";
import { checkPageTexts, findLoginTextKey, findOwnPageTexts } from "../pages/level-page-texts";
import { unusedTextsIn, withZitadelTexts } from "../pages/zitadel-texts";
import { findTarget, type LoginTextTarget } from "../text-owner";
import { resetLevelText, saveText } from "./save-text";

export interface SetLoginText extends LoginTextTarget {
  words: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>;
  /** Texts under ZITADEL's names, `group.key`; undefined to keep those that appear on no page. */
  zitadelTexts?: Readonly<Record<string, string | undefined>>;
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

/** Replaces all page texts of the level in the language; those that are omitted or empty fall back. */
export async function setLoginText(ctx: OriginContext, request: SetLoginText): Promise<TextSaved | ApiError> {
  const found = await findLoginTextKey(ctx, request);
  if (isApiError(found)) return found;
  const { key, base } = found;
  const given = withZitadelTexts(request.words, request.zitadelTexts ?? {});
  const isKept = request.zitadelTexts === undefined && Object.keys(given).length > 0;
  const wanted = { ...(isKept && unusedTextsIn((await findOwnPageTexts(ctx, key)).words)), ...given };
  const refusal = checkPageTexts(base, wanted, await ownHosts(ctx, request.organizationId));
  if (refusal) return refusal;
  return saveText(ctx, key, wanted, { ifMatch: request.ifMatch });
}

/** Removes the page texts of one level and language, so that the inherited ones apply; 404 if there are none. */
export async function resetLoginText(
  ctx: OriginContext,
  request: LoginTextTarget & { ifMatch?: string },
): Promise<TextSaved | ApiError> {
  const found = await findTarget(ctx, request);
  return isApiError(found) ? found : resetLevelText(ctx, found.key, { ifMatch: request.ifMatch });
}
