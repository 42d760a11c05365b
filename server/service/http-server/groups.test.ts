/** The URL space under app/: its folders show what the service answers. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../root";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

/** One part of a folder's name, as Next reads it. */
function patternOf(part: string): string {
  if (part.startsWith("[[...")) return "(?:/.*)?";
  if (part.startsWith("[...")) return "/.+";
  return part.startsWith("[") ? "/[^/]+" : `/${part.replaceAll(".", "\\.")}`;
}

describe("the groups of addresses under app/", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  const files = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => /(^|\/)route\.ts$/.test(name));

  it("contain every address of the application except the icons", () => {
    const groups = files.filter((name) => !name.startsWith("[...address]"));
    const patterns = groups.map(
      (name) => new RegExp(`^${name.split("/").slice(0, -1).map(patternOf).join("") || "/"}$`),
    );
    const isIcon = (address: string) => existsSync(path.join(root, "public", "icons", address)) && address !== "/";
    // The catch-all answers these: their names are read from the descriptors of procedures.
    const isProcedure = (address: string) => /^\/(?:zitadel|service)\./.test(address);
    const addresses = service.application.routes.map(({ path: address }) => address);
    const strays = addresses.filter(
      (address) =>
        address !== "/*" && !isIcon(address) && !isProcedure(address) && !patterns.some((each) => each.test(address)),
    );
    expect(addresses.length).toBeGreaterThan(100);
    expect(strays).toEqual([]);
  });

  it("are few: one file for a group, and none for a single address", () => {
    expect(files.length).toBeLessThan(40);
  });
});
