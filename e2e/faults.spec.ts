/**
 * Faults the service must survive, each injected for real: killed processes, a database that goes away, signals under
 * load. Nothing here waits for time to pass, only for what is to be seen.
 */
import { createServer } from "node:net";
import { startPostgres } from "../scripts/postgres.mjs";
import { startService } from "../scripts/service.mjs";
import { expect, test } from "./fixtures";

const TWO_WORKERS = { SECRET_KEY: "a-secret-key-for-two-processes-long-enough", WORKERS: "2" };

test("workers that cannot start end the service with their reason, not in a loop", async () => {
  test.setTimeout(60_000);
  const postgres = await startPostgres({ durable: false });
  const occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, "127.0.0.1", resolve));
  const { port } = occupied.address() as { port: number };
  try {
    const env = { ...TWO_WORKERS, DATABASE_URL: postgres.url, PORT: String(port) };
    await expect(startService({ env })).rejects.toThrow(
      new RegExp(`it ended with 1\\n[^]*PORT: port ${port} is already in use; set PORT to a free one`),
    );
  } finally {
    occupied.close();
    await postgres.stop();
  }
});
