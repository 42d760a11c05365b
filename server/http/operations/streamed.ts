/** An answer too long to be held in memory: written as it is read, and stopped when nobody reads it any more. */
const brand: unique symbol = Symbol("Streamed");

export interface Streamed {
  readonly [brand]: true;
  contentType: string;
  /** What a browser saves it as. */
  fileName: string;
  parts: AsyncIterator<string>;
}

export const streamed = (answer: Omit<Streamed, typeof brand>): Streamed => ({ [brand]: true, ...answer });

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
