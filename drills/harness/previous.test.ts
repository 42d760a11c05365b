import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { previousRelease, sharesPackages } from "./previous.mjs";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "releases-"));
  folders.push(folder);
  return folder;
}

/** Creates a clone in which one commit raises the version, with commits before and after it. */
function clone() {
  const folder = emptyFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  const commit = (version: string, more: string) => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a", version, more }, null, 2));
    git("add", "package.json");
    git("commit", "--quiet", "--no-gpg-sign", "-m", more);
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet");
  const first = commit("0.1.0", "first");
  const bumped = commit("0.2.0", "bumped");
  const work = commit("0.2.0", "work");
  return { folder, git, commit, first, bumped, work };
}

const reason = (folder: string): string => {
  try {
    return previousRelease(folder).name;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("the previous release", () => {
  it("is the last tag before this commit, by version", () => {
    const { folder, git, first, bumped, work } = clone();
    git("tag", "v0.9.0", first);
    git("tag", "v0.10.0", bumped);
    git("tag", "v1.0.0", work);
    expect(previousRelease(folder)).toEqual({ commit: bumped, name: "v0.10.0" });
  });

  it("is the last commit that changed the version if there is no tag, unless it is this commit", () => {
    const { folder, commit, bumped } = clone();
    expect(previousRelease(folder).commit).toBe(bumped);
    commit("0.3.0", "the release at hand");
    expect(previousRelease(folder).commit).toBe(bumped);
  });

  it("is not guessed: the error says what is missing", () => {
    const { folder } = clone();
    const shallow = emptyFolder();
    execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${folder}`, shallow]);
    expect(reason(shallow)).toContain("git fetch --tags --unshallow");
    expect(reason(emptyFolder())).toContain("this is no clone");
  });
});

describe("the packages of this checkout", () => {
  it("are shared if each has the version that the previous release requires", () => {
    const [here, release] = [emptyFolder(), emptyFolder()];
    const install = (name: string, version: string) => {
      mkdirSync(join(here, "node_modules", name), { recursive: true });
      writeFileSync(join(here, "node_modules", name, "package.json"), JSON.stringify({ name, version }));
    };
    const asks = (dependencies: object) =>
      writeFileSync(join(release, "package.json"), JSON.stringify({ dependencies }));
    install("a", "1.0.0");
    install("@scope/b", "2.0.0");
    asks({ "@scope/b": "2.0.0" });
    expect(sharesPackages(release, here)).toBe(true);
    asks({ a: "1.0.0", "@scope/b": "2.0.1" });
    expect(sharesPackages(release, here)).toBe(false);
    asks({ a: "1.0.0", gone: "1.0.0" });
    expect(sharesPackages(release, here)).toBe(false);
  });
});
