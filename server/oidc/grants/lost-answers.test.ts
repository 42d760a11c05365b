import { describe, expect, it } from "vitest";
import { connect } from "../../storage/engine/connect";
import { afterwards } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { refresh, type Tokens, tokensOf } from "../../testing/flow";
import { network } from "../../testing/network";
import { anotherProcess, testService } from "../../testing/test-context";

/** Matches the parameter of a rotation's statement that names the response. */
const ROTATION = /[\w-]{12}:\d{13}/;
const FAMILIES = 20;
const ROUNDS = 10;

describe("rotations whose responses are lost between PostgreSQL and the service", () => {
  it("end none of 20 families in 200 rotations, with each repeat at another of four processes", async () => {
    const service = await testService("postgresql", exampleBootstrap);
    afterwards(() => service.close());
    const { databaseUrl } = service;
    const processes = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const wire = await network(databaseUrl);
        const db = await connect(wire.url, { poolSize: 5, silenceLimit: 1_000 });
        afterwards(() => db.close());
        return { wire, ...anotherProcess(service, db) };
      }),
    );
    const at = (index: number) => processes[index % processes.length] ?? service;
    const families = await Promise.all(Array.from({ length: FAMILIES }, () => tokensOf(service)));
    let inDoubt = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const { wire } of processes) wire.swallowAnswers(ROTATION);
      const lost = families.map((family, index) => refresh(at(index + round), family.refresh_token));
      for (const { status } of await Promise.all(lost)) inDoubt += status === 503 ? 1 : 0;
      for (const { wire } of processes) wire.swallowAnswers(undefined);
      service.advance(14_000); // 8 s of silence, Retry-After, and 3 s more
      const repeated = families.map(async (family, index) => {
        for (let next = index + round + 1; ; next++) {
          const answer = await refresh(at(next), family.refresh_token);
          if (answer.status === 503) continue; // a connection that was lost before
          expect([round, answer.status]).toEqual([round, 200]);
          return (await answer.json()) as Tokens;
        }
      });
      families.splice(0, FAMILIES, ...(await Promise.all(repeated)));
    }
    expect(inDoubt).toBe(FAMILIES * ROUNDS);
  }, 240_000);
});
