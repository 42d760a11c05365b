// Measures the resource usage of processes with the accounting of the kernel (/proc/<id>/stat). On a shared machine
// request rates depend on other load; processor time shows the cost of a request.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The fields of /proc/<id>/stat after the name, counted from 0; see proc_pid_stat(5). */
const [PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM, RESIDENT_PAGES] = [1, 11, 12, 13, 14, 21];
/** Milliseconds; USER_HZ is 100 on all platforms of Node.js. */
const TICK = 10;
const PAGE_SIZE = 4096;
/** The highest id that Linux assigns to a process or thread. */
const LAST_ID = 2 ** 22;

/**
 * Returns the resident memory of a process and its descendants in bytes; 0 if /proc is not available. Shared pages,
 * such as those of the Node.js program, count for each process.
 */
export function residentMemory(pid) {
  return PAGE_SIZE * family(pid).reduce((sum, stat) => sum + Number(stat[RESIDENT_PAGES]), 0);
}

/**
 * Returns the processor time of a process and its descendants in milliseconds, including ended ones that were waited
 * for; 0 if /proc is not available.
 */
export function processorTime(pid) {
  const taken = (stat) =>
    [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM].reduce((sum, field) => sum + Number(stat[field]), 0);
  return TICK * family(pid).reduce((sum, stat) => sum + taken(stat), 0);
}

/**
 * Returns the processor time of a Node.js process by group of threads, in milliseconds: the main thread, V8's helpers,
 * which compile and collect garbage, and libuv's pool. Finer than ticks (schedstat); 0 if /proc is not available.
 */
export function threadTimes(pid) {
  const all = familyOf(pid).map(([id]) => threadTimesOf(id));
  const sumOf = (name) => all.reduce((sum, times) => sum + times[name], 0);
  return { main: sumOf("main"), helpers: sumOf("helpers"), pool: sumOf("pool") };
}

function threadTimesOf(pid) {
  // The order of their start. Smaller ids than that of the process were assigned after the counter had wrapped around.
  const order = (id) => (id < pid ? id + LAST_ID : id);
  const ids = numbersIn(`/proc/${pid}/task`).sort((a, b) => order(a) - order(b));
  const [main = 0, ...others] = ids.map((id) => onProcessor(`/proc/${pid}/task/${id}/schedstat`));
  const sum = (times) => times.reduce((total, time) => total + time, 0);
  const helpers = threadsBeforePool() - 1;
  return { main, helpers: sum(others.slice(0, helpers)), pool: sum(others.slice(helpers)) };
}

let beforePool;
/**
 * Returns the number of threads that Node.js starts before it runs any code. The threads of the pool start with its
 * first work.
 */
function threadsBeforePool() {
  beforePool ??= Number(execFileSync(process.execPath, ["-p", "fs.readdirSync('/proc/self/task').length"]));
  return beforePool;
}

function onProcessor(schedstat) {
  try {
    return Number(readFileSync(schedstat, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    return 0; // it has just ended
  }
}

/** Returns the fields after the name in /proc/<id>/stat of a process and its descendants. */
const family = (pid) => familyOf(pid).map(([, stat]) => stat);

/** Returns the ids and the fields of a process and its descendants. */
function familyOf(pid) {
  const stats = new Map(numbersIn("/proc").map((id) => [id, statOf(id)]));
  const belongs = (id) => id === pid || (stats.has(id) && belongs(Number(stats.get(id)?.[PARENT])));
  return [...stats].filter(([id, stat]) => stat && belongs(id));
}

/** Returns the ids of the processes or threads in a folder. */
function numbersIn(folder) {
  try {
    return readdirSync(folder)
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
