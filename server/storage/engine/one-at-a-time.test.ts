import { expect, it } from "vitest";
import { connectTestDatabase, testDatabaseUrl } from "../../testing/database";
import { oneAtATime } from "./one-at-a-time";

it("work that two processes begin at once is done sequentially, and a failure does not block the other", async () => {
  const url = await testDatabaseUrl("postgresql");
  const done: string[] = [];
  let goOn = () => {};
  let othersWait = () => {};
  const waits = new Promise<void>((resolve) => {
    othersWait = resolve;
  });
  const first = oneAtATime(url, "work", async () => {
    done.push("first begins");
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    done.push("first ends");
    throw new Error("broken");
  });
  await expect.poll(() => done).toEqual(["first begins"]);
  const second = oneAtATime(url, "work", async () => done.push("second"), othersWait);
  await waits;
  await oneAtATime(url, "other work", async () => done.push("other work"));
  goOn();
  await expect(first).rejects.toThrow("broken");
  await second;
  expect(done).toEqual(["first begins", "other work", "first ends", "second"]);
});

it("a process whose connection is gone is not waited for", async () => {
  const url = await testDatabaseUrl("postgresql");
  const db = await connectTestDatabase(url);
  await oneAtATime(url, "work", async () => {
    await db.all(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [],
    );
    await oneAtATime(url, "work", async () => {});
  });
});

it("an embedded database has one process anyway", async () => {
  expect(await oneAtATime("file:nowhere.db", "work", async () => "done")).toBe("done");
});
