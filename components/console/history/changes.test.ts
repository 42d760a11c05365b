import { describe, expect, it } from "vitest";
import { changedValues, changesRedirects } from "./changes";

const settings = (redirectUris: string[], devMode = false) => ({ redirectUris, devMode, appType: "web" });

describe("The changes of an event", () => {
  it("are listed by setting, without unchanged ones", () => {
    const changes = [
      { field: "name", from: "Shop", to: "Store" },
      { field: "settings", from: settings(["https://a.test"]), to: settings(["https://a.test", "https://b.test"]) },
      { field: "nothing", to: null },
      { field: "added", to: { deep: { deeper: { deepest: { of: "all" } } }, gone: null } },
    ];
    expect(changedValues(changes)).toEqual([
      { field: "name", from: "Shop", to: "Store" },
      { field: "settings.redirectUris", to: ["https://b.test"] },
      { field: "added.deep.deeper.deepest", to: { of: "all" }, isFact: true },
    ]);
  });

  it("are the added and removed entries of a list or of an object of settings", () => {
    const list = (from: unknown, to: unknown) => changedValues([{ field: "uris", from, to }]);
    expect(list(["a", "b"], ["b", "c"])).toEqual([{ field: "uris", from: ["a"], to: ["c"] }]);
    expect(list(["a", "b"], ["b", "a"])).toEqual([{ field: "uris", from: ["a", "b"], to: ["b", "a"] }]);
    expect(list(null, [])).toEqual([]);
    expect(list(null, { minLength: 21 })).toEqual([{ field: "uris.minLength", to: 21 }]);
    expect(list({ minLength: 21 }, null)).toEqual([{ field: "uris.minLength", from: 21 }]);
    expect(list("a", { b: 1 })).toEqual([{ field: "uris", from: "a", to: { b: 1 } }]);
  });

  it("contain only the old value of a removed setting", () => {
    expect(changedValues([{ field: "email", from: "a@b.test", to: null }])).toEqual([
      { field: "email", from: "a@b.test" },
    ]);
  });

  it("concern only redirect addresses if nothing else of an app was changed", () => {
    const to = (uris: string[], devMode?: boolean) => [
      { field: "settings", from: settings(["https://a.test"]), to: settings(uris, devMode) },
    ];
    expect(changesRedirects("app.changed", to(["https://b.test"]))).toBe(true);
    expect(changesRedirects("app.changed", to(["https://b.test"], true))).toBe(false);
    expect(changesRedirects("app.added", to(["https://b.test"]))).toBe(false);
    expect(changesRedirects("app.changed", [])).toBe(false);
  });
});
