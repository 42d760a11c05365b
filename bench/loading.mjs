// Runs a load generator in a separate process, and measures the processor time of its target.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { processorTime, residentMemory } from "./accounting.mjs";

/**
 * Starts a load generator.
 * @param {object} target see load.mjs
 * @param {{ seconds: number, warmUp: number, connections: number }} how of each measurement
 * @returns {Promise<{ measure: (name: string) => Promise<object>, stop: () => void }>} `measure` loads one endpoint
 */
export async function startLoad(target, how) {
  const child = fork(fileURLToPath(new URL("load.mjs", import.meta.url)));
  const ended = new Promise((_, reject) => {
    child.once("exit", (code, signal) => reject(new Error(`the load ended with ${code ?? signal}`)));
  });
  ended.catch(() => {}); // callers that wait for a result get the rejection
  const answer = () => Promise.race([new Promise((resolve) => child.once("message", resolve)), ended]);
  child.send({ target, ...how });
  await answer();
  return {
    async measure(name) {
      child.send(name);
      return (await answer()).result;
    },
    stop: () => child.kill(),
  };
}

/**
 * Returns the processor time per response while `load` runs, in milliseconds. The warm-up counts in both numerator and
 * denominator.
 * @param {{ pid: number, databasePid?: number }} server with its database, if no other server uses it during the load
 * @param {() => Promise<{ answers: number }>} load
 */
export async function accounted({ pid, databasePid }, load) {
  const taken = () => [processorTime(pid), databasePid === undefined ? 0 : processorTime(databasePid)];
  const before = taken();
  const result = await load();
  const [server, database] = taken().map((time, index) => (time - before[index]) / result.answers);
  return { ...result, memory: residentMemory(pid), server, database, processor: server + database };
}
