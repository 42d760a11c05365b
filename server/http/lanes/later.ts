/**
 * Next takes longer to start than everything else together, and only the console waits for it: the service listens
 * first, and a request for the console that comes too early waits instead of everybody.
 */
import type { Logger } from "pino";
import type { NextHandler } from "./lanes";

export interface RunningNext {
  handler: NextHandler;
  close(): Promise<void>;
}

export interface LaterNext extends RunningNext {
  /** Starts it, once; a failure is logged and answered 503 from then on. */
  begin(): void;
}

export function startLater(start: () => Promise<RunningNext>, log: Logger): LaterNext {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let running: Promise<RunningNext | undefined> | undefined;
  const started = begun.then(() => {
    running = start().catch((error) => {
      log.error({ err: error }, "the console did not start; everything else serves");
      return undefined;
    });
    return running;
  });
  return {
    begin: () => begin(),
    handler: async (request, response) => {
      const next = await started;
      if (next) return next.handler(request, response);
      response.writeHead(503, { "content-type": "text/plain", "cache-control": "no-store" });
      response.end("The console is not available.");
    },
    close: async () => (await running)?.close(),
  };
}
