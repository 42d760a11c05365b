// Waits for the end of a child process, with a time limit for processes that hang or leave descendants behind.

/** The time that the output may take after the process ended: a descendant may hold it open forever. */
const LAST_WORDS_MS = 10_000;

/**
 * Waits for the end of a child process, and kills it after a time limit. If its output is read here, the limit applies
 * to the time without output, which distinguishes a slow process on a busy machine from one that hangs.
 * @param {{ longest: number, lastWords?: number }} limits milliseconds; `longest` restarts with each output that is
 *   read
 * @returns {Promise<{ code: number | null, late: boolean }>} its exit status, null if a signal or its limit (`late`)
 *   ended it; rejects if it cannot be started
 */
export function ended(child, { longest, lastWords = LAST_WORDS_MS }) {
  return new Promise((resolve, reject) => {
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, longest);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", () => limit.refresh());
    const end = (code) => {
      clearTimeout(limit);
      resolve({ code, late });
    };
    child.once("error", (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once("close", end);
    child.once("exit", (code) => {
      const over = setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
        end(code);
      }, lastWords);
      child.once("close", () => clearTimeout(over));
    });
  });
}
