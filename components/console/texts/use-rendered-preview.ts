// Renders and checks a text shortly after the last keystroke. The server returns everything in one response.
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Answer, Refusal } from "../../../shared/refusal";
import { bodyOf, type RefusedQuery } from "../calls/queries";
import type { Values } from "./text-state";
import { useSettled } from "./use-settled";

/** The delay after a keystroke in milliseconds. */
const PAUSE = 250;
/**
 * How long an unused response is kept, in milliseconds. If the first one were dropped before the effects of the page
 * run, the whole editor would be rendered again.
 */
const KEPT = 10_000;

interface PreviewRequest {
  /** Identifies the text, or the page and its language. */
  of: string;
  path: string;
  /** The JSON of the request. */
  body: string;
  values: Values;
}

export interface WantedPreview<Preview> extends PreviewRequest {
  send(signal: AbortSignal): Promise<Answer<Preview>>;
}

export interface PreviewState<Preview> {
  /** The latest response, with its request. */
  shown: PreviewRequest & { preview: Preview };
  refusal: Refusal | undefined;
  /** Whether the response is for what is open. */
  isCurrent: boolean;
}

/**
 * Returns the preview.
 * @param of what is open
 * @param wanted undefined until the text is loaded
 */
export function useRenderedPreview<Preview>(
  of: string,
  wanted: WantedPreview<Preview> | undefined,
  initial: () => PreviewState<Preview>["shown"],
): PreviewState<Preview> {
  const [first] = useState(initial);
  const latest = useRef(first);
  const key = wanted && JSON.stringify([wanted.of, wanted.body]);
  const settled = useSettled(key, latest.current.of === of ? PAUSE : 0);
  const { data, error } = useQuery<typeof first, RefusedQuery>({
    queryKey: ["preview", key],
    enabled: wanted !== undefined && settled === key,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT,
    initialData: key === JSON.stringify([first.of, first.body]) ? first : undefined,
    async queryFn({ signal }) {
      const { send, ...request } = wanted as WantedPreview<Preview>;
      return { ...request, preview: bodyOf(await send(signal)) };
    },
  });
  if (data) latest.current = data;
  return { shown: latest.current, refusal: error?.refusal, isCurrent: latest.current.of === of };
}
