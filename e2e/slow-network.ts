/** A network on which pages arrive in parts, so that browsers show the first parts before they have the last. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const PARTS = 6;
/** Milliseconds between two parts, in which a browser paints several times. */
const BETWEEN = 120;

/** A proxy for a browser. */
export interface SlowNetwork {
  server: string;
  close(): void;
}

export async function startSlowNetwork(): Promise<SlowNetwork> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, "accept-encoding": "identity" };
    const passed = request(incoming.url ?? "", { method: incoming.method, headers }, async (answer) => {
      const { "content-length": _, ...kept } = answer.headers;
      const whole = Buffer.concat(await answer.toArray());
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      // Splits the body: every browser waits for the styles in the head.
      const body = whole.indexOf("<body");
      outgoing.write(whole.subarray(0, Math.max(0, body)));
      const rest = whole.subarray(Math.max(0, body));
      for (let part = 0; part < PARTS && body >= 0; part++) {
        await pause(BETWEEN);
        outgoing.write(rest.subarray((rest.length * part) / PARTS, (rest.length * (part + 1)) / PARTS));
      }
      outgoing.end(body >= 0 ? "" : rest);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => proxy.close(),
  };
}
