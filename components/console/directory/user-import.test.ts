import { describe, expect, it } from "vitest";
import { parseCsv, readUsers } from "./user-import";

describe("a file of people", () => {
  it("is read from CSV with quotes, commas and line breaks in it (RFC 4180 §2)", () => {
    expect(parseCsv('a,b\r\n"x, ""y""\nz",2\n\n')).toEqual([
      ["a", "b"],
      ['x, "y"\nz', "2"],
    ]);
    expect(parseCsv("a,\n,b")).toEqual([
      ["a", ""],
      ["", "b"],
    ]);
  });

  it("becomes what the import takes; what is not filled in is left out", () => {
    const csv = "userName,firstName,lastName,email,isEmailVerified,phone\neva,Eva,Müller,eva@acme.test,TRUE,\n";
    expect(readUsers(`\uFEFF${csv}`)).toEqual([
      {
        userName: "eva",
        profile: { firstName: "Eva", lastName: "Müller" },
        email: { email: "eva@acme.test", isEmailVerified: true },
      },
    ]);
  });

  it("is read from JSON, with or without the name of the list", () => {
    expect(readUsers('[{"userName":"eva"}]')).toEqual([{ userName: "eva" }]);
    expect(readUsers('{"users":[{"userName":"eva"}]}')).toEqual([{ userName: "eva" }]);
  });

  it.each(["", "[1]", "{", "{}", "name,mail\nEva,x", "userName,shoeSize\neva,39"])("is none where it is %j", (text) => {
    expect(readUsers(text)).toBeUndefined();
  });
});
