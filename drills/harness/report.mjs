// The output of a drill and its result.
const lines = { failures: 0 };

export const say = (line) => process.stdout.write(`${line}\n`);

/** Reports an injected fault, with the time since the drill began. */
export const injected = (what) => say(`  ${process.uptime().toFixed(1).padStart(6)} s  ${what}`);

/** Reports a condition that must be met. */
export function must(what, holds) {
  say(`${holds ? "ok    " : "FAILED"} ${what}`);
  if (!holds) lines.failures++;
}

/** Reports the requests by kind. @returns the number of failed ones */
export function sayCounts(load) {
  let failed = 0;
  for (const [kind, entry] of load.counts) {
    const wrong = [...entry.failed].map(([how, times]) => `${times} × ${how}`);
    failed += [...entry.failed.values()].reduce((sum, times) => sum + times, 0);
    say(
      `${kind.padEnd(14)} ${String(entry.answered).padStart(7)} answered${wrong.length ? `, failed: ${wrong.join(", ")}` : ""}`,
    );
  }
  const answered = [...load.counts.values()].reduce((sum, entry) => sum + entry.answered, 0);
  say(`requests       ${String(answered).padStart(7)} answered, ${failed} failed`);
  return failed;
}

/**
 * Returns the failures that no outage explains: a 5xx status other than 503, a refusal, a browser that has to sign in
 * again. A redirect with the error `temporarily_unavailable` (RFC 6749 §4.1.2.1) counts as 503.
 */
export function unforeseen(load) {
  const all = [...load.counts].flatMap(([kind, { failed }]) => [...failed].map(([how, times]) => [kind, how, times]));
  return all
    .filter(([, how]) => /^\d/.test(how) && !/^503|temporarily_unavailable$/.test(how))
    .map(([kind, how, times]) => `${times} × ${kind} ${how}`);
}

export function sayVerified({ checked, lost, twice }) {
  for (const [what, held] of Object.entries(checked)) say(`${what.padEnd(30)} ${held}`);
  for (const [what, list] of [
    ["lost", lost],
    ["worked twice", twice],
  ]) {
    for (const line of [...new Set(list)].slice(0, 5)) say(`  ${what}: ${line}`);
  }
  must(`nothing acknowledged was lost (${lost.length})`, lost.length === 0);
  must(`nothing worked twice (${twice.length})`, twice.length === 0);
}

/** Prints the last log lines of the nodes, by name: they contain the reasons of failures. */
export function sayLog(nodes) {
  for (const [name, node] of Object.entries(nodes)) {
    for (const line of node.output().trim().split("\n").slice(-20)) say(`  ${name}: ${line}`);
  }
}

export const failures = () => lines.failures;

/** Returns an error to throw if this machine lacks something. It is neither a success nor a failure. */
export const cannotRun = (reason) => Object.assign(new Error(reason), { cannotRun: true });
