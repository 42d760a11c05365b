/**
 * Starts Next with the first request that leads to the console. Next takes longer to start and more memory than
 * everything else together, but only the console needs it. Requests for console pages wait for it.
 */
import type { Logger } from "pino";
import type { NextHandler } from "./request-listener";

export interface RunningNext {
  handler: NextHandler;
  close(): Promise<void>;
}

export interface LaterNext extends RunningNext {
  /** Starts Next, once; if that fails, it is logged and the console answers 503. */
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
      begin();
      const next = await started;
      if (next) return next.handler(request, response);
      response.writeHead(503, { "content-type": "text/plain", "cache-control": "no-store" });
      response.end("The console is not available.");
    },
    close: async () => (await running)?.close(),
  };
}
