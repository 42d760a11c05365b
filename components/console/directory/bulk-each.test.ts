import { describe, expect, it } from "vitest";
import { type BulkRequest, changeInEach } from "./bulk-each";

const person = (id: string, organizationId: string) => ({ id, organizationId, name: id });
const chosen = [person("a1", "a"), person("b1", "b"), person("a2", "a"), person("c1", "c")];
const refusal = { id: "access.denied", message: "No.", problems: [{ id: "access.denied", message: "No." }] };

describe("A change of users of several organizations", () => {
  it("sends one request per organization, and continues after one that is refused or fails", async () => {
    const asked: BulkRequest[] = [];
    const outcome = await changeInEach(chosen, async (request) => {
      asked.push(request);
      if (request.organizationId === "b") return { ok: false, status: 403, refusal };
      if (request.organizationId === "c") throw new TypeError("fetch failed");
      const results = [{ userId: "a1" }, { userId: "a2", error: { id: "user.is_locked", message: "Locked." } }];
      return { ok: true, status: 200, body: { changed: 1, refused: 1, results } };
    });
    expect(asked).toEqual([
      { organizationId: "a", body: { userIds: ["a1", "a2"] } },
      { organizationId: "b", body: { userIds: ["b1"] } },
      { organizationId: "c", body: { userIds: ["c1"] } },
    ]);
    expect(outcome.done?.changed).toBe(1);
    expect(outcome.refusal).toBe(refusal);
    expect(outcome.left).toEqual(["a2", "b1", "c1"]);
  });

  it("adds up the results of all of them", async () => {
    const outcome = await changeInEach(chosen, async ({ body: { userIds } }) => ({
      ok: true,
      status: 200,
      body: { changed: userIds.length, refused: 0, results: userIds.map((userId) => ({ userId })) },
    }));
    expect(outcome.done?.changed).toBe(4);
    expect(outcome.done?.results.map(({ userId }) => userId)).toEqual(["a1", "a2", "b1", "c1"]);
    expect([outcome.left, outcome.refusal]).toEqual([[], undefined]);
  });
});
