import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("release.mjs", import.meta.url));
const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Doors.\n\n## [0.2.0] - 2026-01-01\n\n- Walls.\n";
const CHART = "deploy/helm/identity-service/Chart.yaml";
let folder: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const release = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: "utf8" });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  git("init", "--quiet");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@acme.test");
  put("package.json", '{\n  "name": "x",\n  "version": "0.2.0"\n}\n');
  put(
    "package-lock.json",
    '{\n  "version": "0.2.0",\n  "packages": {\n    "": {\n      "version": "0.2.0"\n    }\n  }\n}\n',
  );
  put("CHANGELOG.md", CHANGELOG);
  mkdirSync(join(folder, "deploy/helm/identity-service"), { recursive: true });
  for (const [tag, login] of [
    ["en", { a: "A" }],
    ["de", { a: "Ah" }],
  ] as const) {
    mkdirSync(join(folder, "messages", tag, "console"), { recursive: true });
    put(`messages/${tag}/login.json`, JSON.stringify(login));
  }
  put(CHART, 'apiVersion: v2\nversion: 0.2.0\nappVersion: "0.2.0"\n');
  git("add", ".");
  git("commit", "--quiet", "-m", "Start");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a release", () => {
  it("moves the unreleased changes below the version, sets it, commits and tags", () => {
    expect(release("0.3.0")).toMatchObject({ status: 0, stderr: "" });
    const today = git("log", "-1", "--format=%cs");
    expect(read("CHANGELOG.md")).toBe(CHANGELOG.replace("[Unreleased]\n", `[Unreleased]\n\n## [0.3.0] - ${today}\n`));
    expect(read("package.json")).toBe('{\n  "name": "x",\n  "version": "0.3.0"\n}\n');
    expect(read("package-lock.json")).not.toContain("0.2.0");
    expect(read(CHART)).toBe('apiVersion: v2\nversion: 0.3.0\nappVersion: "0.3.0"\n');
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "-1", "--format=%s")).toBe("chore(release): 0.3.0");
    expect(git("rev-parse", "v0.3.0^{commit}")).toBe(git("rev-parse", "HEAD"));
  });

  it.each<[string, string[], string, () => void]>([
    ["no version", [], "Say which version", () => {}],
    ["what is no version", ["v1"], "Say which version", () => {}],
    ["the same version", ["0.2.0"], "does not come after", () => {}],
    ["an older version", ["0.1.9"], "does not come after", () => {}],
    ["changes that are not committed", ["0.3.0"], "not committed", () => put("new.txt", "")],
    [
      "a language that lacks texts",
      ["0.3.0"],
      "Texts are missing in de",
      () => {
        put("messages/de/login.json", "{}");
        git("commit", "--quiet", "--all", "-m", "Less");
      },
    ],
    ["a tag that exists", ["0.3.0"], "exists", () => git("tag", "v0.3.0")],
    [
      "nothing to release",
      ["0.3.0"],
      "nothing under Unreleased",
      () => {
        put("CHANGELOG.md", CHANGELOG.replace("- Doors.\n", ""));
        git("commit", "--quiet", "-am", "Empty");
      },
    ],
  ])("refuses %s and changes nothing", (_, args, reason, prepare) => {
    prepare();
    const before = [git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag"), read("CHANGELOG.md")];
    const { status, stderr } = release(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag"), read("CHANGELOG.md")]).toEqual(before);
  });
});

it("the Helm chart has the version of the package", () => {
  const project = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
  const { version } = JSON.parse(project("package.json"));
  expect(project(CHART)).toContain(`version: ${version}\nappVersion: "${version}"\n`);
});
