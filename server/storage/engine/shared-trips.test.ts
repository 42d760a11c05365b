import { expect, it } from "vitest";
import { afterwards, testDatabase } from "../../testing/database";
import { sampleOrganization } from "../../testing/database-conformance/rows";
import type { Unit, Value } from "../database";
import { accessTokenInsert, findValidToken, revokeAccessToken } from "../grant/access-tokens";
import { sharedTrips } from "./shared-trips";

/** Trips that return on command. */
function station(isOwn = (_: unknown) => true) {
  const trips: { values: readonly (readonly Value[])[]; back(): void; fail(error: Error): void }[] = [];
  const read = sharedTrips<Value | undefined>(
    (_, values) =>
      new Promise((resolve, reject) => {
        trips.push({ values, back: () => resolve(values.map(([value]) => value)), fail: reject });
      }),
    isOwn,
  );
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  return { trips, read: (value: Value) => read("sql", [value]), tick };
}

it("batches statements of the same moment, without a delay", async () => {
  const { trips, read, tick } = station();
  const first = [read(1), read(2)];
  await tick();
  expect(trips.map(({ values }) => values.flat())).toEqual([[1, 2]]);
  const alone = read(3);
  await tick();
  const late = [read(4), read(5)];
  await tick();
  expect(trips.map(({ values }) => values.flat())).toEqual([[1, 2], [3]]);
  trips[1]?.back();
  expect(await alone).toBe(3);
  await tick();
  expect(trips[2]?.values.flat()).toEqual([4, 5]);
  for (const { back } of trips) back();
  expect(await Promise.all([...first, ...late])).toEqual([1, 2, 4, 5]);
});

it("bounds how many share a trip", async () => {
  const { trips, read, tick } = station();
  const all = Array.from({ length: 40 }, (_, value) => read(value));
  for (let round = 0; round < 3; round++) {
    await tick();
    for (const { back } of trips) back();
  }
  expect((await Promise.all(all)).length).toBe(40);
  expect(trips.map(({ values }) => values.length)).toEqual([16, 16, 8]);
});

it("isolates the failure of a statement from the others, unless the connection fails", async () => {
  const { trips, read, tick } = station((error) => String(error).includes("own"));
  const all = Promise.allSettled([read(1), read(2)]);
  await tick();
  trips[0]?.fail(new Error("own"));
  await tick();
  expect(trips.slice(1).map(({ values }) => values.flat())).toEqual([[1], [2]]);
  trips[1]?.fail(new Error("own"));
  trips[2]?.back();
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  const lost = Promise.allSettled([read(3), read(4)]);
  await tick();
  trips[3]?.fail(new Error("cut off"));
  expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(trips).toHaveLength(4);
});

it("sees every revocation that was acknowledged before it was asked, in company too", async () => {
  const db = await testDatabase("postgresql");
  afterwards(() => db.close());
  const now = Date.now();
  const ids = Array.from({ length: 60 }, (_, number) => `t${number}`);
  const times = { createdAt: now, expiresAt: now + 60_000 };
  const token = { grantId: null, clientId: "console", userId: null, jkt: null, scope: "", audience: "", ...times };
  await db.commit({ inserts: ids.map((id) => accessTokenInsert({ ...token, id })) });
  const isValid = async (id: string) => (await findValidToken(db, id, now, now)) !== undefined;
  await Promise.all(
    ids.map(async (id, number) => {
      expect(await isValid(id)).toBe(true);
      if (number % 2 === 0) await revokeAccessToken(db, id, { clientId: "console" }, now);
      expect(await isValid(id)).toBe(number % 2 === 1);
    }),
  );
});

it("lets no write wait for a row that only another one in its company needs", async () => {
  const db = await testDatabase("postgresql");
  afterwards(() => db.close());
  await db.commit({ inserts: [sampleOrganization("locked"), sampleOrganization("free")] });
  const rename = (id: string): Unit => ({
    guard: { sql: `UPDATE "Organization" SET "name" = $1 WHERE "id" = $2`, values: ["new", id] },
    inserts: [],
  });
  const done: string[] = [];
  const write = (id: string) => db.commit(rename(id)).then((happened) => happened && done.push(id));
  let letGo = () => {};
  const end = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let holder: Promise<void> | undefined;
  await new Promise<void>((locked) => {
    holder = db.transaction(async (tx) => {
      await tx.organization.update({ where: { id: "locked" }, data: { name: "old" } });
      locked();
      await end;
    });
  });
  let isEnded = false;
  const locked = write("locked").finally(() => {
    isEnded = true;
  });
  const all = [locked, write("free"), write("nobody")];
  try {
    await Promise.all(all.slice(1));
    expect(done).toEqual(["free"]);
    expect(isEnded).toBe(false); // not only when the statement's own limit ended the wait
  } finally {
    letGo();
  }
  await Promise.all([holder, ...all]);
  expect(done).toEqual(["free", "locked"]);
});
