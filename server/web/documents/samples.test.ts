/** Runs the samples of the guides and checks that they do what the surrounding text says. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import * as openidClient from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBootstrap } from "../../bootstrap/parse";
import { root } from "../../root";
import { apiToken } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

interface Sample {
  file: string;
  language: string;
  text: string;
}

const folder = path.join(root, "docs", "guide");
// Commands and files of other systems name no language.
const documentNames = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const samples: Sample[] = documentNames.flatMap((file) =>
  [...readFileSync(path.join(folder, file), "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({ file, language, text }),
  ),
);
const of = (language: string) => samples.filter((sample) => sample.language === language);

/** Returns the commands of a sample; a backslash at the end of a line and an open quotation continue a command. */
const commandsOf = (text: string) => text.match(/(?:\\\n|'[^']*'|"[^"]*"|[^\n])+/g) ?? [];

describe("the samples of the guides", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  it("use only the languages that this test runs", () => {
    expect([...new Set(samples.map(({ language }) => language))].sort()).toEqual(["json", "sh", "ts"]);
  });

  it.each(of("json"))("are files that can be applied: $file", ({ text }) => {
    expect(parseBootstrap(JSON.parse(text))).toMatchObject({ organizations: expect.any(Array) });
  });

  it.each(of("ts"))("are TypeScript, with functions that the library has: $file", async ({ text }) => {
    await transform(text, { loader: "ts", format: "esm" });
    const named = [...text.matchAll(/\bclient\.(\w+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in openidClient))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  it.each(of("sh").map((sample) => ({ ...sample, title: `${sample.file}: ${sample.text.split("\n")[0]}` })))(
    "are commands that exist, and calls that are answered: $title",
    async ({ text }) => {
      expect(spawnSync("bash", ["-n"], { input: text }).status).toBe(0);
      for (const command of commandsOf(text)) {
        if (command.startsWith("curl ")) expect([command, await statusOf(command)]).toEqual([command, 200]);
        else expect(isKnown(command)).toBe(true);
      }
    },
  );

  /** Returns the words as a shell would pass them. */
  function wordsOf(command: string): string[] {
    const script = `for word in ${command}; do printf '%s\\0' "$word"; done`;
    const { stdout } = spawnSync("bash", ["-c", script], { env: { ...process.env, TOKEN: token } });
    return stdout.toString().split("\0").slice(0, -1);
  }

  async function statusOf(command: string): Promise<number> {
    const [, ...words] = wordsOf(command);
    const headers: Record<string, string> = {};
    let address = "";
    let method: string | undefined;
    let body: string | undefined;
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? "";
      if (word === "-X") method = words[++index];
      else if (word === "-d") body = words[++index];
      else if (word === "-H") {
        const [name = "", value = ""] = (words[++index] ?? "").split(/: (.*)/s);
        headers[name] = value;
      } else address = word;
    }
    const { pathname } = new URL(address);
    return (await service.fetch(pathname, { method: method ?? (body ? "POST" : "GET"), headers, body })).status;
  }

  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const admin = readFileSync(path.join(root, "server/admin/run.ts"), "utf8");
  function isKnown(command: string): boolean {
    const [program, verb = "", script = "", , ...words] = command
      .trim()
      .replace(/^(?:[A-Z_]+=\S+ )+/, "")
      .split(/\s+/);
    if (program !== "npm") return false;
    if (verb !== "run") return verb in scripts;
    const named = [words.slice(0, 2).join(" "), words[0] ?? ""];
    const isCommand = named.some((name) => admin.includes(`\n  "${name}": {`) || admin.includes(`\n  ${name}: {`));
    return script in scripts && (script !== "admin" || isCommand);
  }
});
