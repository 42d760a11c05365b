/**
 * Work in slices: what takes long lets everybody else's requests have their turn in between (attack: one large request
 * that keeps the only thread, so that nobody gets an answer).
 */

/** Milliseconds of work after which others have their turn. */
const SLICE = 10;

/** Resolves when whatever has arrived meanwhile was looked at: timers, sockets, the next connection. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Whether what began then has kept others waiting long enough. @param begun milliseconds of `performance.now` */
export const isSliceOver = (begun: number): boolean => performance.now() - begun >= SLICE;

/** `array.map`, in slices. */
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

/** Runs a generator to its end, in slices that end where it yields; gives back what it returns. */
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
