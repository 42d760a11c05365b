import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { readWhenAsked } from "./read-when-asked";

const folder = mkdtempSync(join(tmpdir(), "texts-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reads a language once, on first access, and no other", () => {
  const file = join(folder, "login.json");
  writeFileSync(file, '{"title":"Anmelden"}');
  const files = { de: "./login.json", fr: "./missing.json" };
  const catalogue = readWhenAsked<{ title: string }>(files, pathToFileURL(`${folder}/`).href);
  expect(Object.keys(catalogue)).toEqual(["de", "fr"]);
  const read = catalogue.de;
  writeFileSync(file, '{"title":"Einloggen"}');
  expect(read).toEqual({ title: "Anmelden" });
  expect(catalogue.de).toBe(read);
  expect(catalogue.es).toBeUndefined();
  expect(() => catalogue.fr).toThrow("missing.json");
});
