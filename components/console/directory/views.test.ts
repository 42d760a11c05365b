import { describe, expect, it } from "vitest";
import { type View, viewsCookie, viewsIn } from "./views";

/** Returns the Cookie header of a browser. */
const sent = (views: readonly View[]) => `tz=UTC; ${viewsCookie("/console/users", views).split("; ")[0]}; other=1`;

describe("Saved views", () => {
  it("are read back unchanged, in any script", () => {
    const views = [
      { name: "Locked = gone?", query: "state=locked&sort=name" },
      { name: "மறந்தவர்கள்; 忘れた人", query: "signedIn=never" },
    ];
    expect(viewsIn(sent(views))).toEqual(views);
    expect(viewsCookie("/console/users", views)).toMatch(/^views=[\w+/=]+; path=\/console\/users; /);
  });

  it("lose the oldest ones if the cookie would become too long for browsers", () => {
    const views = Array.from({ length: 30 }, (_, index) => ({
      name: `${"ம".repeat(58)}${index}`,
      query: "state=locked",
    }));
    const kept = viewsIn(sent(views));
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(views.slice(-kept.length));
    expect(viewsCookie("/console/users", views).length).toBeLessThan(4096);
  });

  it.each([
    ["no cookie", ""],
    ["another one", "reviews=W10="],
    ["no base64", "views=%5B%5D"],
    ["no JSON", `views=${btoa("[{")}`],
    ["no list", `views=${btoa('{"name":"a","query":""}')}`],
    ["no views", `views=${btoa('[null, 1, {"name":"a"}, {"name":1,"query":""}]')}`],
  ])("are none where there is %s", (_, cookies) => {
    expect(viewsIn(cookies)).toEqual([]);
  });
});
