// The preview of the text and its issues, shortly after the last key: rendered by the service, with one answer for all
// views. Requests that are outdated are cancelled.

import { useEffect, useState } from "react";
import { addressOf } from "../declared";
import type { Refusal } from "../refusal";
import type { TextAddress, TextScope } from "./address";
import { ask } from "./ask";
import { operationsOn } from "./operations";
import { type MessagePreview, previewRequest, type SamplePerson, type Values } from "./text-state";

/** How long to wait after a key, milliseconds. */
const PAUSE = 250;

export interface Shown {
  path: string;
  /** The JSON that was sent. */
  body: string;
  /** The values that it shows. */
  values: Values;
  preview: MessagePreview;
}

export interface PreviewState {
  /** The latest answer; undefined before the first. */
  shown: Shown | undefined;
  refusal: Refusal | undefined;
}

export interface CurrentPreview extends PreviewState {
  /** Whether it shows the open text. */
  isCurrent: boolean;
}

/** @param values undefined until they are loaded */
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
