/**
 * The figures of all processes that share the port, added up. A request reaches one worker, workers do not know each
 * other: it asks the process that supervises them, which asks them all.
 */
import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import { newId } from "../crypto/random";
import { processMetrics } from "./instruments";

const QUESTION = "metrics of all";
const ANSWER = "metrics of all answered";
/** Milliseconds; one that hangs does not hold up the others' figures longer. */
const PATIENCE = 6_000;

interface Message {
  type?: unknown;
  id?: unknown;
  text?: unknown;
}

/** In the supervising process, before its workers start. */
export function gatherForWorkers(): void {
  const all = new AggregatorRegistry();
  cluster.on("message", async (worker: Worker, message: Message | undefined) => {
    if (message?.type !== QUESTION) return;
    const text = await all.clusterMetrics().catch(() => undefined); // a worker ended meanwhile
    if (worker.isConnected()) worker.send({ type: ANSWER, id: message.id, text });
  });
}

/** In Prometheus' text format. @throws when a process does not say its figures in time */
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
