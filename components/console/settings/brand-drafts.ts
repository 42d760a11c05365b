// Saves the draft of a brand and restores the previous one: the colours in one request, each picture in its own.

import { ResetLabelPolicyToDefault } from "../../../shared/generated/operations";
import { type Answer, noAnswer, type Refusal } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import type { UndoStep } from "../calls/undo";
import type { Level } from "../parts/level";
import { BRAND_OPERATIONS, BRAND_PICTURES, type LabelPolicy, type Looks, type PictureSlug } from "./brand";
import type { ChosenPicture } from "./read-logo";

/** The pictures that are not saved yet. */
export type DraftPictures = Partial<Record<PictureSlug, ChosenPicture | "removed">>;

/** The previous pictures in base64; null if the level had none of its own; undefined if it cannot be read. */
export type Earlier = Partial<Record<PictureSlug, string | null | undefined>>;

/**
 * Saves a picture.
 * @param content base64; null removes it
 */
function savePicture(level: Level, name: PictureSlug, content: string | null): Promise<Answer<unknown>> {
  const { setPicture, removePicture } = BRAND_OPERATIONS[level];
  const at = { picture: name };
  return content === null ? callOperation(removePicture, { at }) : callOperation(setPicture, { at, body: { content } });
}

/**
 * Saves all pictures.
 * @returns the refusal of one of them, if any
 */
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

/** Reads the picture that a new one would replace, while it can still be read, so that the change can be undone. */
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
  /** The replaced pictures, all of which can be read. */
  pictures: Earlier;
  /** Whether the level had a branding of its own. */
  isOwn: boolean;
}

/** Returns the step that restores the previous draft, unless the draft or the published branding has changed since. */
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
