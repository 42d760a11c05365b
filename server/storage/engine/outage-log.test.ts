import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { connect } from "./connect";
import { outageLog } from "./outage-log";

function logged() {
  const lines: { level: number; msg: string; reason?: string; err?: unknown }[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: pino(stream) };
}

describe("a database that is away, in the log", () => {
  it("is one line without a stack when it goes, and one when it is back", async () => {
    const outage = await connect("postgresql://nobody@127.0.0.1:1/db").catch((error: unknown) => error);
    const { lines, log } = logged();
    const { failed, succeeded } = outageLog(log, "sending mails");
    succeeded();
    for (let i = 0; i < 5; i++) failed(outage);
    succeeded();
    succeeded();
    expect(lines.map(({ level, msg, reason, err }) => ({ level, msg, reason, err }))).toEqual([
      {
        level: 40,
        msg: "sending mails waits: the database cannot be used at the moment",
        reason: "connect ECONNREFUSED 127.0.0.1:1",
      },
      { level: 30, msg: "sending mails goes on: the database can be used again" },
    ]);
    failed(outage);
    expect(lines).toHaveLength(3);
  });

  it("leaves a mistake of ours its stack", () => {
    const { lines, log } = logged();
    outageLog(log, "sending mails").failed(new TypeError("x is not a function"));
    expect(lines).toMatchObject([{ level: 50, msg: "sending mails failed; it is tried again" }]);
    expect(JSON.stringify(lines[0]?.err)).toContain("outage-log.test");
  });
});
