import { describe, expect, it } from "vitest";
import { verify } from "./verify.mjs";

/** Returns the record of a drill, and a service that answers every request with one status. */
function answering(status: number, isActive: boolean) {
  const answer = async () => ({ status, headers: {}, text: '{"refresh_token":"next"}' });
  const memory = {
    tokens: ["t"],
    users: ["u"],
    codes: ["c"],
    families: [{ current: "r3", spent: ["r1", "r2"] }],
    lost: [] as string[],
    twice: [] as string[],
  };
  const introspection = async () => {
    if (!isActive) memory.lost.push("an access token is inactive");
    return isActive;
  };
  return { memory, introspection, readUser: answer, refreshWith: answer, redeem: answer };
}

describe("the check after a fault", () => {
  it("finds lost data", async () => {
    const { lost, twice } = await verify(answering(400, false));
    expect(lost.map((line) => line.split(":")[0])).toEqual([
      "an access token is inactive",
      "access tokens active",
      "users there",
      "families refresh",
    ]);
    expect(twice).toEqual([]);
  });

  it("does not report intact data as lost beside lost data", async () => {
    const load = answering(200, true);
    load.memory.tokens = ["gone", "t2", "t3"];
    const isActive = async (token?: string) => {
      if (token === "gone") load.memory.lost.push("an access token is inactive");
      return token !== "gone";
    };
    const { checked } = await verify({ ...load, introspection: isActive });
    expect(checked["access tokens active"]).toBe("2 of 3");
  });

  it("finds codes and tokens that work a second time", async () => {
    const { lost, twice } = await verify(answering(200, true));
    expect(twice.map((line) => line.split(":")[0])).toEqual([
      "codes refused a second time",
      "spent refresh tokens refused",
    ]);
    expect(lost).toEqual([]);
  });
});
