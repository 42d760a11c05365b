import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inProject } from "./environment.mjs";
import { isSupported } from "./node-version.mjs";

const NAME = "node-test-x64";
const VERSION = "99.0.0";
const work = mkdtempSync(join(tmpdir(), "fetch-node-"));
const tarball = join(work, "package.tgz");
let requests = 0;

/** A registry with one package, whose program only prints its version. */
const registry = createServer((request, response) => {
  requests++;
  if (request.url?.endsWith(".tgz")) return response.end(readFileSync(tarball));
  const dist = { tarball: `${address()}/${NAME}/-/${NAME}-${VERSION}.tgz`, integrity: integrity() };
  const versions = { [VERSION]: { name: NAME, version: VERSION, dist } };
  response.end(JSON.stringify({ name: NAME, "dist-tags": { latest: VERSION }, versions }));
});
const address = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
const integrity = () => `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;

beforeAll(async () => {
  makePackage(`echo v${VERSION}`);
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  registry.close();
  rmSync(work, { recursive: true });
});

function makePackage(program: string) {
  const folder = join(work, "package");
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: NAME, version: VERSION }));
  writeFileSync(join(folder, "bin", "node"), `#!/bin/sh\n${program}\n`);
  chmodSync(join(folder, "bin", "node"), 0o755);
  spawnSync("tar", ["czf", tarball, "-C", work, "package"]);
}

/** Fetches in a separate process. Resolves with its output, or rejects with its errors. */
async function fetchInto(folder: string, pin: { integrity?: string } = {}) {
  const options = JSON.stringify({ name: NAME, version: VERSION, integrity: integrity(), ...pin });
  const script = `import { fetchNode } from ${JSON.stringify(inProject("scripts", "node.mjs"))};
    console.log(await fetchNode(${options}, ${JSON.stringify(folder)}));`;
  const env = {
    ...process.env,
    npm_config_registry: address(),
    npm_config_cache: mkdtempSync(join(work, "cache-")),
    npm_config_fetch_retries: "0",
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  return stdout.trim();
}

const emptyFolder = () => join(mkdtempSync(join(work, "project-")), ".node");

it("supports the versions of Node.js that have Node-API 10, and none without long-term support before them", () => {
  const versions = ["20.20.2", "21.7.3", "22.13.1", "22.14.0", "22.23.5", "23.11.0", "24.0.0", "24.22.3", "26.12.1"];
  expect(versions.filter(isSupported)).toEqual(["22.14.0", "22.23.5", "24.0.0", "24.22.3", "26.12.1"]);
});

it("fetches the pinned Node.js once, also when two commands start at the same time", async () => {
  const folder = emptyFolder();
  requests = 0;
  const bins = await Promise.all([fetchInto(folder), fetchInto(folder)]);
  expect(new Set(bins)).toEqual(new Set([join(folder, `${NAME}-${VERSION}`, "bin")]));
  const asked = requests;
  expect(await fetchInto(folder)).toBe(bins[0]);
  expect(requests).toBe(asked);
  expect(spawnSync(join(bins[0] as string, "node"), { encoding: "utf8" }).stdout).toBe(`v${VERSION}\n`);
  expect(readdirSync(folder)).toEqual([`${NAME}-${VERSION}`]);
});

it("keeps nothing of a package that is not the pinned one", async () => {
  const folder = emptyFolder();
  const other = `sha512-${createHash("sha512").update("another package").digest("base64")}`;
  await expect(fetchInto(folder, { integrity: other })).rejects.toThrow("EINTEGRITY");
  expect(readdirSync(folder)).toEqual([]);
});

it("keeps nothing of a Node.js that does not run on the machine", async () => {
  makePackage("echo cannot load libc >&2; exit 1");
  const folder = emptyFolder();
  await expect(fetchInto(folder)).rejects.toThrow("it does not run on this machine: cannot load libc");
  expect(readdirSync(folder)).toEqual([]);
});

it("pins packages by integrity, and names no registry", () => {
  const text = readFileSync(inProject("scripts", "node.json"), "utf8");
  const pins = Object.values(JSON.parse(text) as Record<string, { version: string; integrity: string }>);
  expect(pins.filter(({ version }) => !isSupported(version))).toEqual([]);
  expect(pins.filter((pin) => !/^sha512-[\w+/]{86}==$/.test(pin.integrity))).toEqual([]);
  expect(text).not.toContain("://");
  expect(existsSync(inProject("scripts", "with-node"))).toBe(true);
});

it("builds the image on the major version of Node.js that npm start fetches on Linux", () => {
  const pins = JSON.parse(readFileSync(inProject("scripts", "node.json"), "utf8"));
  const dockerfile = readFileSync(inProject("Dockerfile"), "utf8");
  const [, tag = ""] = /^ARG NODE_IMAGE=node:(\S+)$/m.exec(dockerfile) ?? [];
  for (const platform of ["linux-x64", "linux-arm64"]) {
    expect(tag.split(/[.-]/)[0]).toBe(pins[platform].version.split(".")[0]);
  }
  expect(dockerfile.match(/^FROM (?!\$\{NODE_IMAGE\})/gm)).toBeNull();
});
