/**
 * Splits long work into slices, so that other requests are served in between (attack: one large request that occupies
 * the only thread).
 */

/** Milliseconds of work after which the event loop gets control. */
const SLICE = 10;

/** Resolves in the next turn of the event loop, after pending timers and sockets were handled. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Whether work has run for a whole slice.
 * @param begun start of the slice, in milliseconds of `performance.now`
 */
export const isSliceOver = (begun: number): boolean => performance.now() - begun >= SLICE;

/** Like `array.map`, in slices. */
export async function mapInSlices<In, Out>(
  items: readonly In[],
  each: (item: In, index: number) => Out,
): Promise<Out[]> {
  const results: Out[] = [];
  await inSlices(
    (function* () {
      for (const [index, item] of items.entries()) {
        results.push(each(item, index));
        yield;
      }
    })(),
  );
  return results;
}

/** Runs a generator to its end in slices that end where it yields, and returns its result. */
export async function inSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  let begun = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (!isSliceOver(begun)) continue;
    await nextTurn();
    begun = performance.now();
  }
}
