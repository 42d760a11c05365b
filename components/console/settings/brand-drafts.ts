// Saving the draft of a brand, and the one before it: colours in one call, each picture in its own.
import { callOperation } from "../call";
import { ResetLabelPolicyToDefault } from "../generated/operations";
import type { Level } from "../level";
import { type Answer, noAnswer, type Refusal } from "../refusal";
import type { UndoStep } from "../undo";
import { BRAND_OPERATIONS, BRAND_PICTURES, type LabelPolicy, type Looks, type PictureSlug } from "./brand";
import type { ChosenPicture } from "./read-logo";

/** What is not saved yet. */
export type DraftPictures = Partial<Record<PictureSlug, ChosenPicture | "removed">>;

/** What was there: base64; null where the level had none of its own; undefined where it cannot be read. */
export type Earlier = Partial<Record<PictureSlug, string | null | undefined>>;

/** @param content base64; null removes it */
export function savePicture(level: Level, name: PictureSlug, content: string | null): Promise<Answer<unknown>> {
  const { setPicture, removePicture } = BRAND_OPERATIONS[level];
  const at = { picture: name };
  return content === null ? callOperation(removePicture, { at }) : callOperation(setPicture, { at, body: { content } });
}

/** @returns why one of them was refused */
export async function savePictures(
  level: Level,
  pictures: DraftPictures,
  onSaved: (name: PictureSlug) => void,
): Promise<Refusal | undefined> {
  for (const { name } of BRAND_PICTURES) {
    const picture = pictures[name];
    if (picture === undefined) continue;
    const answer = await savePicture(level, name, picture === "removed" ? null : picture.content).catch(noAnswer);
    if (!answer.ok) return answer.refusal;
    onSaved(name);
  }
  return undefined;
}

/**
 * The pictures that new ones would replace, as long as they can still be read: they are written again if somebody takes
 * it back.
 */
export async function earlierPicture(url: string | undefined, inherited: string | undefined) {
  if (url === undefined || url === inherited) return null;
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok ? base64Of(await answer.arrayBuffer()) : undefined;
}

function base64Of(content: ArrayBuffer): string {
  const bytes = new Uint8Array(content);
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

interface Before {
  looks: Looks;
  /** Those that were replaced, and can all be read. */
  pictures: Earlier;
  /** Whether the level had a look of its own. */
  isOwn: boolean;
}

/** Writes the draft that was there before, unless it or what everybody sees has changed since. */
export function backToDraft(level: Level, { looks, pictures, isOwn }: Before): Omit<UndoStep, "done"> {
  const { read, readShown, change } = BRAND_OPERATIONS[level];
  const settingsOf = ({ details: _, ...settings }: LabelPolicy) => settings;
  return {
    async read() {
      const [draft, shown] = await Promise.all([callOperation(read), callOperation(readShown)]);
      if (!draft.ok || !shown.ok) return undefined;
      return JSON.stringify([settingsOf(draft.body.policy), settingsOf(shown.body.policy)]);
    },
    async revert() {
      if (!isOwn) return callOperation(ResetLabelPolicyToDefault);
      for (const [name, content] of Object.entries(pictures) as [PictureSlug, string | null][]) {
        const answer = await savePicture(level, name, content);
        if (!answer.ok) return answer;
      }
      return callOperation(change, { body: looks as never });
    },
  };
}
