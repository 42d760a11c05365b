import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeProblem, loadConfig } from "./config";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(directory, name), text);
const load = (env: Record<string, string>) => loadConfig(env, join(directory, ".env"));

function refuse(env: Record<string, string>): string[] {
  const problems = load(env);
  return Array.isArray(problems) ? problems.map(describeProblem) : [];
}

describe("configuration: .env", () => {
  it("is read, and the environment wins", () => {
    put(".env", 'PORT=9001\nHOST="0.0.0.0" # comment\n');
    expect(load({ PORT: "9002" })).toMatchObject({ port: 9002, host: "0.0.0.0" });
  });

  it("is refused if a line sets nothing, with the number of the line and without its content", () => {
    put(".env", "# comment\n\nPORT=9001\nBASE_URL\n  \n=9\nexport HOST=0.0.0.0\n");
    const problem = (line: number) => expect.stringMatching(new RegExp(`\\.env:${line}: has no NAME=value`));
    expect(refuse({})).toEqual([problem(4), problem(6)]);
    put(".env", "MASTER_KEY=hidden\nrest-of-it\n");
    expect(refuse({}).join("\n")).not.toContain("rest-of-it");
  });

  it("may have comments, blank lines, export and values of several lines", () => {
    const lines = [
      "\ufeff# comment",
      "",
      " export HOST = 0.0.0.0",
      "  # PORT",
      "PORT='9001'",
      'SMTP_FROM="a',
      'b" # c',
    ];
    for (const end of ["\n", "\r\n"]) {
      put(".env", lines.join(end));
      expect(refuse({}).filter((line) => line.includes("NAME=value"))).toEqual([]);
    }
  });

  it("is a problem where it cannot be read", () => {
    mkdirSync(join(directory, ".env"));
    expect(refuse({})).toEqual([expect.stringMatching(/\.env: cannot be read: it is a folder$/)]);
  });
});
