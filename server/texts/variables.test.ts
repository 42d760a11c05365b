import { describe, expect, it } from "vitest";
import { MESSAGE_TYPES } from "../message-types/table";
import { renderTemplate } from "./template";
import { carriesCode, findVariable, lookUpIn, sampleValues, typesWith, variablesOf } from "./variables";

describe("the variables of a type", () => {
  const specified = [
    "UserName FirstName LastName NickName DisplayName LastEmail VerifiedEmail LastPhone VerifiedPhone",
    "PreferredLoginName LoginNames ChangeDate CreationDate",
  ]
    .join(" ")
    .split(" ");

  it.each(MESSAGE_TYPES)("%s has the thirteen of rule MESSAGE-1, each with a sample", (type) => {
    for (const name of specified) expect(findVariable(type, name)?.name).toBe(name);
    for (const { name, sample, description } of variablesOf(type)) {
      expect(sample, name).not.toBe("");
      expect(description, name).toMatch(/\.$/);
    }
  });

  it("have unique spellings", () => {
    for (const type of MESSAGE_TYPES) {
      const spellings = variablesOf(type).flatMap(({ name, aliases }) => [name, ...aliases]);
      expect(new Set(spellings).size).toBe(spellings.length);
    }
  });

  it("are marked as never empty if the message could not be sent without them", () => {
    const empty = (type: (typeof MESSAGE_TYPES)[number]) =>
      variablesOf(type)
        .filter(({ mayBeEmpty }) => mayBeEmpty)
        .map(({ name }) => name);
    const phones = ["LastPhone", "VerifiedPhone"];
    for (const type of ["init", "verifyemail", "domainclaimed", "invite_user"] as const)
      expect(empty(type)).toEqual(["NickName", "VerifiedEmail", ...phones]);
    for (const type of ["passwordreset", "verifyemailotp", "passwordless_registration", "password_change"] as const)
      expect(empty(type)).toEqual(["NickName", ...phones]);
    expect(empty("verifyphone")).toEqual(["NickName", "LastEmail", "VerifiedEmail", "VerifiedPhone"]);
    expect(empty("verifysmsotp")).toEqual(["NickName", "LastEmail", "VerifiedEmail"]);
  });

  it("include a code in messages with a code to enter", () => {
    expect(MESSAGE_TYPES.filter(carriesCode)).toEqual([
      "init",
      "passwordreset",
      "verifyemail",
      "verifyphone",
      "verifysmsotp",
      "verifyemailotp",
      "invite_user",
    ]);
    expect(typesWith("OTP")).toEqual(["verifysmsotp", "verifyemailotp"]);
    expect(typesWith("ApplicationName")).toEqual(["invite_user"]);
    expect(typesWith("Password")).toEqual([]);
  });
});

describe("filling in by type", () => {
  const render = (source: string, values: Record<string, string>) =>
    renderTemplate(source, lookUpIn("verifyemailotp", values), "plain");

  it("resolves aliases", () => {
    const values = { UserName: "ada", Code: "123", PreferredLoginName: "ada@acme.test" };
    expect(render("{{.Username}} {{.UserName}} {{.OTP}} {{.LoginName}}", values)).toBe("ada ada 123 ada@acme.test");
  });

  it("ignores variables of other types and inherited object properties", () => {
    const values = { ...sampleValues("verifyemailotp"), TempUsername: "x", constructor: "y" };
    expect(render("[{{.TempUsername}}{{.constructor}}{{.toString}}{{.__proto__}}]", values)).toBe("[]");
  });

  it.each([
    ["https://evil.test/x", ""],
    ["Ada https://evil.test/x Lovelace", "Ada Lovelace"],
    ["(HTTPS://evil.test)", ""],
    ["evil.test", "evil.\u200btest"],
    ["Ada www.evil.test/x", "Ada www.\u200bevil.\u200btest/x"],
    ["ada@acme.test", "ada@acme.test"],
    ["evil.test/@ada", "evil.\u200btest/@ada"],
    ["J. R. R. Tolkien", "J. R. R. Tolkien"],
    ["Ada Lovelace-King Jr.", "Ada Lovelace-King Jr."],
  ])("lets nobody be named a link: %j", (name, shown) => {
    expect(render("{{.DisplayName}}", { DisplayName: name })).toBe(shown);
    expect(render("{{.LastEmail}}", { LastEmail: name })).toBe(name);
  });
});
