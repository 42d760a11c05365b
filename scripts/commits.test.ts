/** Commit subjects are Conventional Commits with a scope (docs/style.md). */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** The last commit before the rule. */
const BASE = "cde31eb219a6db0b24a62ba978f6432b12bbba17";
const SUBJECT =
  /^(?:feat|fix|perf|refactor|docs|test|build|ci|chore|style|i18n|revert)\([a-z0-9][a-z0-9./-]*\)!?: [^A-Z\s].*[^.]$/;
/** The subjects that git and the release script write. */
const GENERATED = /^(?:Merge |Revert "|Release \d)/;

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the subjects since the base; none in a checkout without that history. */
function subjects(): string[] {
  try {
    const args = ["log", "--format=%s", `${BASE}..HEAD`];
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  } catch {
    return [];
  }
}

describe("commit subjects", () => {
  it("are Conventional Commits with a scope and an imperative in lower case", () => {
    expect(subjects().filter((subject) => !SUBJECT.test(subject) && !GENERATED.test(subject))).toEqual([]);
  });

  it.each([
    ["fix(oidc): reject a code of another client", true],
    ["feat(api)!: remove the v1 alias", true],
    ["fix: reject a code", false],
    ["fix(oidc): Reject a code", false],
    ["fix(oidc): reject a code.", false],
    ["Let no code come nearer while a test sends it", false],
  ])("%s: accepted %s", (subject, accepted) => {
    expect(SUBJECT.test(subject)).toBe(accepted);
  });
});
