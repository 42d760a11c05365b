import { describe, expect, it } from "vitest";
import { composeName, isComposedName, shownName } from "./person-name";

describe("The order of a user's names", () => {
  it.each([
    ["ja", "美咲", "佐藤", "佐藤 美咲"],
    ["zh-TW", "小明", "王", "王小明"],
    ["ko", "민준", "김", "김민준"],
    ["ko", "Minjun", "Kim", "Kim Minjun"],
    ["hu", "Katalin", "Nagy", "Nagy Katalin"],
    ["vi", "Văn An", "Nguyễn", "Nguyễn Văn An"],
    ["de", "Ada", "Lovelace", "Ada Lovelace"],
    [null, "Ada", null, "Ada"],
    ["ja", null, null, null],
  ])("in %s: %s %s is %s", (preferredLanguage, firstName, lastName, name) => {
    expect(composeName({ firstName, lastName, preferredLanguage })).toBe(name);
  });

  it("follows the user's language, else the reader's, and never changes a typed display name", () => {
    const nagy = { firstName: "Katalin", lastName: "Nagy", displayName: "Katalin Nagy" };
    expect(shownName({ ...nagy, preferredLanguage: "hu" }, "de")).toBe("Nagy Katalin");
    expect(shownName({ ...nagy, preferredLanguage: "en" }, "hu")).toBe("Katalin Nagy");
    expect([shownName(nagy, "hu"), shownName(nagy, "de")]).toEqual(["Nagy Katalin", "Katalin Nagy"]);
    expect(shownName({ ...nagy, displayName: "Kati", preferredLanguage: "hu" })).toBe("Kati");
    expect(shownName({ ...nagy, displayName: "" }, "hu")).toBe("");
    expect(isComposedName("Nagy Katalin", nagy)).toBe(true);
  });

  it("stays as stored for Latin letters in Japanese, Chinese and Korean", () => {
    const johnson = { firstName: "Maria", lastName: "Johnson", displayName: "Maria Johnson" };
    const yamada = { firstName: "Hana", lastName: "Yamada", displayName: "Yamada Hana" };
    for (const preferredLanguage of ["ja", "zh-TW", "ko"]) {
      expect(shownName({ ...johnson, preferredLanguage })).toBe("Maria Johnson");
      expect(shownName({ ...yamada, preferredLanguage })).toBe("Yamada Hana");
    }
    const sato = { firstName: "美咲", lastName: "佐藤", displayName: "美咲 佐藤", preferredLanguage: "ja" };
    expect(shownName(sato)).toBe("佐藤 美咲");
  });
});
