/** The program of the thread that computes one hash of iterated digests (digest-thread.ts) and ends. */
import { parentPort, workerData } from "node:worker_threads";
// With its extension: tests run this file from the source, by the types that Node.js strips.
import { type IteratedDigest, iteratedDigests } from "./iterated-digests.ts";

const { kind, password, stored } = workerData as { kind: IteratedDigest; password: Uint8Array; stored: string };
parentPort?.postMessage(iteratedDigests[kind](Buffer.from(password), stored));
