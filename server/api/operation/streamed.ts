/** A response that is too long for memory: it is sent while it is produced, and ends when the client disconnects. */
import { isSliceOver, nextTurn } from "../../concurrency/pauses";

const brand: unique symbol = Symbol("Streamed");

export interface Streamed {
  readonly [brand]: true;
  contentType: string;
  /** The file name for browsers. */
  fileName: string;
  parts: AsyncIterator<string>;
  /** Resolves when the last part was produced, or the client is gone. */
  sent: Promise<void>;
}

export function streamed({ parts, ...answer }: Omit<Streamed, typeof brand | "sent">): Streamed {
  let over = () => {};
  const sent = new Promise<void>((resolve) => {
    over = resolve;
  });
  const rest = (async function* () {
    let begun = performance.now();
    try {
      for (;;) {
        // What is produced from memory must not keep everybody else waiting.
        if (isSliceOver(begun)) {
          await nextTurn();
          begun = performance.now();
        }
        const { done, value } = await parts.next();
        if (done) return;
        yield value;
      }
    } finally {
      over();
      await parts.return?.();
    }
  })();
  return { [brand]: true, ...answer, parts: rest, sent };
}

export function isStreamed(answer: object): answer is Streamed {
  return brand in answer;
}

export function streamedResponse({ contentType, fileName, parts }: Streamed): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
