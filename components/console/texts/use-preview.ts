// Renders and checks the text shortly after the last keystroke. The server returns all views in one response. Outdated
// requests are cancelled.

import { useEffect, useState } from "react";
import { addressOf } from "../../../shared/declared";
import type { Refusal } from "../../../shared/refusal";
import type { TextAddress, TextScope } from "./address";
import { ask } from "./ask";
import { operationsOn } from "./operations";
import { type MessagePreview, previewRequest, type SamplePerson, type Values } from "./text-state";

/** The delay after a keystroke in milliseconds. */
const PAUSE = 250;

export interface Shown {
  path: string;
  /** The JSON of the request. */
  body: string;
  /** The values in the preview. */
  values: Values;
  preview: MessagePreview;
}

export interface PreviewState {
  /** The latest response; undefined before the first. */
  shown: Shown | undefined;
  refusal: Refusal | undefined;
}

export interface CurrentPreview extends PreviewState {
  /** Whether the response is for the open text. */
  isCurrent: boolean;
}

/**
 * Returns the preview.
 * @param values undefined until they are loaded
 */
export function usePreview(
  scope: TextScope,
  address: TextAddress,
  values: Values | undefined,
  sample: SamplePerson,
  initial: () => Shown,
): CurrentPreview {
  const [state, setState] = useState<PreviewState>(() => ({ shown: initial(), refusal: undefined }));
  const path = addressOf(operationsOn(scope).preview, address);
  const body = values && JSON.stringify(previewRequest(values, sample));
  const isShown = state.shown?.path === path && state.shown.body === body;
  const isOther = state.shown?.path !== path;

  useEffect(() => {
    if (body === undefined || isShown) return;
    const controller = new AbortController();
    const timer = setTimeout(
      async () => {
        const wanted = JSON.parse(body) as ReturnType<typeof previewRequest>;
        const { signal } = controller;
        const answer = await ask(operationsOn(scope).preview, { at: address, body: wanted, signal });
        if (answer === undefined) return;
        const { fields } = wanted;
        if (answer.ok) setState({ shown: { path, body, values: fields, preview: answer.body }, refusal: undefined });
        else setState(({ shown }) => ({ shown, refusal: answer.refusal }));
      },
      isOther ? 0 : PAUSE,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [scope, address, path, body, isShown, isOther]);

  return { ...state, isCurrent: !isOther };
}
