/**
 * Computes a hash of iterated digests in a thread, because it would occupy the only thread that serves requests. There
 * is a thread for each hash: it starts within some milliseconds, each user needs one until the hash is replaced, and
 * the queue of passwords bounds how many there are.
 */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { IteratedDigest } from "./iterated-digests";

const extension = import.meta.filename.endsWith(".ts") ? "ts" : "mjs"; // source or bundle
const program = join(import.meta.dirname, `digest-worker.${extension}`);

/** @param stored the hash that has the salt and the number of rounds */
export function digestInThread(kind: IteratedDigest, password: Buffer, stored: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const workerData = { kind, password: new Uint8Array(password), stored };
    const worker = new Worker(program, { workerData, env: {}, execArgv: [], stderr: true, stdout: true });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code} before it had a hash`)));
  });
}
