// What processes have used, from the accounting of the kernel (/proc/<id>/stat). On a shared machine rates say how busy
// the others were; processor time says what a request costs.
import { readdirSync, readFileSync } from "node:fs";

/** The fields of /proc/<id>/stat after the name, counted from 0; see proc_pid_stat(5). */
const [PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM, RESIDENT_PAGES] = [1, 11, 12, 13, 14, 21];
/** Milliseconds; USER_HZ is 100 on all that Node runs on. */
const TICK = 10;
const PAGE_SIZE = 4096;

/**
 * Resident memory of a process and everything it started, in bytes; 0 where /proc does not tell. Pages that they share, as of
 * Node's program, count for each of them.
 */
export function residentMemory(pid) {
  return PAGE_SIZE * family(pid).reduce((sum, stat) => sum + Number(stat[RESIDENT_PAGES]), 0);
}

/**
 * Processor time that a process and everything it started have taken, in milliseconds, also what has ended meanwhile
 * and was waited for; 0 where /proc does not tell.
 */
export function processorTime(pid) {
  const taken = (stat) =>
    [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM].reduce((sum, field) => sum + Number(stat[field]), 0);
  return TICK * family(pid).reduce((sum, stat) => sum + taken(stat), 0);
}

/** Processor time of the thread that runs a process's own code, without its pool and V8's helpers, in milliseconds. */
export function mainThreadTime(pid) {
  const stat = statOf(`${pid}/task/${pid}`);
  return stat ? TICK * (Number(stat[USER]) + Number(stat[SYSTEM])) : 0;
}

/** The fields after the name in /proc/<id>/stat, of a process and its descendants. */
function family(pid) {
  const stats = new Map(running().map((id) => [id, statOf(id)]));
  const belongs = (id) => id === pid || (stats.has(id) && belongs(Number(stats.get(id)?.[PARENT])));
  return [...stats].flatMap(([id, stat]) => (stat && belongs(id) ? [stat] : []));
}

function running() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function statOf(id) {
  try {
    return readFileSync(`/proc/${id}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined; // it has just ended
  }
}
