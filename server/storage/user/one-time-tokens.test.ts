import { expect, it } from "vitest";
import { connectTestDatabase, testDatabaseUrl } from "../../testing/database";
import type { Database, Transaction } from "../database";
import { consumeOneTimeToken, insertOneTimeToken, voidOneTimeTokens } from "./one-time-tokens";

const NOW = Date.UTC(2030, 0, 2);
const purpose = "password_reset";

it("secrets that are replaced by two processes at once leave one that works", async () => {
  const url = await testDatabaseUrl("postgresql");
  const [one, other] = [await connectTestDatabase(url), await connectTestDatabase(url)];
  const replace = async (db: Database, tx: Transaction, digest: string) => {
    await voidOneTimeTokens(db, tx, purpose, NOW, "u");
    const expiresAt = NOW + 60_000;
    await insertOneTimeToken(tx, { digest, purpose, subjectId: "u", payload: {}, createdAt: NOW, expiresAt });
  };
  const waiting = `SELECT COUNT(*) AS "count" FROM pg_stat_activity
    WHERE datname = current_database() AND "wait_event_type" = 'Lock'`;
  let isOver = false;
  let second: Promise<void> | undefined;
  await one.transaction(async (tx) => {
    await replace(one, tx, "first");
    second = other
      .transaction((tx) => replace(other, tx, "second"))
      .finally(() => {
        isOver = true;
      });
    const hasDoneWhatItCan = async () =>
      isOver || Number((await other.one<{ count: number }>(waiting, []))?.count) === 1;
    await expect.poll(hasDoneWhatItCan).toBe(true);
  });
  await second;
  const works = (digest: string) => one.transaction((tx) => consumeOneTimeToken(tx, digest, purpose, NOW));
  expect([await works("first"), await works("second")]).toEqual([false, true]);
});
