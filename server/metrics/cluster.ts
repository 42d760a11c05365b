/**
 * The metrics of all processes that share the port, summed. A request reaches only one worker. It asks the supervising
 * process, which asks all workers.
 */
import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import { newId } from "../crypto/random";
import { processMetrics } from "./instruments";

const QUESTION = "metrics of all";
const ANSWER = "metrics of all answered";
/** How long to wait for a worker, in milliseconds. A worker that hangs must not block the metrics. */
const PATIENCE = 6_000;

interface Message {
  type?: unknown;
  id?: unknown;
  text?: unknown;
}

/**
 * Answers workers that ask for the metrics of all. To be called in the supervising process before it starts workers.
 */
export function gatherForWorkers(): void {
  const all = new AggregatorRegistry();
  cluster.on("message", async (worker: Worker, message: Message | undefined) => {
    if (message?.type !== QUESTION) return;
    const text = await all.clusterMetrics().catch(() => undefined); // a worker has just ended
    if (worker.isConnected()) worker.send({ type: ANSWER, id: message.id, text });
  });
}

/**
 * Returns the metrics in Prometheus' text format.
 * @throws if a process does not answer in time
 */
export function metricsOfAllProcesses(): Promise<string> {
  return cluster.isWorker ? ask() : processMetrics.metrics();
}

function ask(): Promise<string> {
  const id = newId();
  return new Promise((resolve, reject) => {
    const end = (text: unknown) => {
      clearTimeout(late);
      process.off("message", listen);
      if (typeof text === "string") resolve(text);
      else reject(new Error("not every process said its figures in time"));
    };
    const listen = (message: Message | undefined) => {
      if (message?.type === ANSWER && message.id === id) end(message.text);
    };
    const late = setTimeout(end, PATIENCE);
    process.on("message", listen);
    process.send?.({ type: QUESTION, id });
  });
}
