import { describe, expect, it } from "vitest";
import { pageNumber, withQuery } from "../components/console/lists/pager";
import { besideField, readAnswer, readRefusal } from "./refusal";

describe("The refusal of an operation", () => {
  it("contains one problem with its field, or all of them in order", () => {
    const one = { code: 6, message: "is taken", details: [{ id: "user.already_exists", field: "userName" }] };
    expect(readRefusal(one)).toMatchObject({ id: "user.already_exists", field: "userName", message: "is taken" });
    const details = [
      { id: "a", message: "one" },
      { id: "b", message: "two", field: "f", position: 3 },
    ];
    const { id, problems } = readRefusal({ message: "one", details });
    expect(id).toBe("a");
    expect(problems).toEqual([details[0], details[1]]);
  });

  it("exists even if the response does not come from the service", async () => {
    const answer = await readAnswer(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    expect(answer).toEqual({
      ok: false,
      status: 502,
      refusal: { id: "", message: "", problems: [{ id: "", message: "" }] },
    });
  });

  it("leaves a successful response unchanged", async () => {
    expect(await readAnswer(Response.json({ id: "x" }))).toEqual({ ok: true, status: 200, body: { id: "x" } });
    expect(await readAnswer(new Response(null, { status: 204 }))).toEqual({ ok: true, status: 204, body: undefined });
  });
});

describe("The page of a list", () => {
  it.each([
    [undefined, 1],
    ["3", 3],
    ["0", 1],
    ["-1", 1],
    ["x", 1],
    ["999999", 400],
  ])("%s is %i", (page, number) => {
    expect(pageNumber(page)).toBe(number);
  });

  it("has an address without empty parameters", () => {
    expect(withQuery("/console/users", { q: "a b", state: undefined, page: "" })).toBe("/console/users?q=a+b");
    expect(withQuery("/console/users", {})).toBe("/console/users");
  });
});

describe("A problem next to its field", () => {
  it("does not repeat the name of the field", () => {
    const problem = { id: "request.invalid", field: "profile.firstName", message: "" };
    expect(besideField(problem, "profile.firstName: Füllen Sie dieses Feld aus.")).toBe("Füllen Sie dieses Feld aus.");
    expect(besideField(problem, "Das gibt es nicht mehr.")).toBe("Das gibt es nicht mehr.");
  });
});
