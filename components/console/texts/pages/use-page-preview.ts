// Renders the page with the edited words and checks them, shortly after the last keystroke.
import { useEffect, useState } from "react";
import type { Schemas } from "../../../../server/api/generated/operations";
import { addressOf } from "../../../../shared/declared";
import type { TextScope } from "../address";
import { ask } from "../ask";
import type { WordsAddress } from "../page-address";
import type { Values } from "../text-state";
import { pagePreviewBody, wordOperationsOn } from "./words-kind";

/** The delay after a keystroke in milliseconds. */
const PAUSE = 250;

export type PagePreview = Schemas["LoginTextPreview"];

export interface ShownPage {
  path: string;
  /** The JSON of the request. */
  body: string;
  page: string;
  values: Values;
  preview: PagePreview;
}

export interface PagePreviewState {
  /** The latest response. */
  shown: ShownPage | undefined;
  hasFailed: boolean;
  /** Whether the response is for the open page and language. */
  isCurrent: boolean;
}

/**
 * Returns the preview.
 * @param values undefined until they are loaded
 */
export function usePagePreview(
  scope: TextScope,
  { page, language }: WordsAddress,
  values: Values | undefined,
  initial: () => ShownPage,
): PagePreviewState {
  const [state, setState] = useState<{ shown: ShownPage | undefined; hasFailed: boolean }>(() => ({
    shown: initial(),
    hasFailed: false,
  }));
  const path = addressOf(wordOperationsOn(scope).preview, { language });
  const body = values && JSON.stringify(pagePreviewBody(page, values));
  const isShown = state.shown?.path === path && state.shown.body === body;
  const isOther = state.shown?.path !== path || state.shown.page !== page;

  useEffect(() => {
    if (body === undefined || values === undefined || isShown) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(
      async () => {
        const wanted = pagePreviewBody(page, values);
        const answer = await ask(wordOperationsOn(scope).preview, { at: { language }, body: wanted, signal });
        if (answer?.ok) setState({ shown: { path, body, page, values, preview: answer.body }, hasFailed: false });
        else if (answer) setState(({ shown }) => ({ shown, hasFailed: true }));
      },
      isOther ? 0 : PAUSE,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [scope, page, language, path, body, values, isShown, isOther]);

  return { ...state, isCurrent: !isOther };
}
