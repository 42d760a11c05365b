import { describe, expect, it } from "vitest";
import { checkChosenPassword } from "./password-policy";

const names = ["ada.lovelace@acme.test", "Ada", "Lovelace", null];

describe("the check of passwords that users choose (NIST SP 800-63B §3.1.1.2)", () => {
  it.each([
    ["correct horse battery staple", undefined],
    ["xkcd made this one famous", undefined],
    ["ada likes to walk in the rain", undefined],
    ["lovelace likes to walk in the rain", undefined],
    ["🐎🔋📎🐎 four pictures", undefined],
    ["short enough", "too_short"],
    ["x".repeat(1001), "too_long"],
    ["a lone surrogate \ud800", "malformed"],
    ["passwordpassword", "common"],
    ["Password Password", "common"],
    ["PASSWORD123456789", "common"],
    ["ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ", "common"],
    ["aaaaaaaaaaaaaaaaaaaa", "common"],
    ["abcabcabcabcabcabc", "common"],
    ["123412341234123412", "common"],
    ["qwertyuiopasdfgh", "common"],
    ["adalovelace1815", "personal"],
    ["ada.lovelace@acme.test", "personal"],
    ["LovelaceLovelace!", "personal"],
  ])("of %j returns %s", (password, code) => {
    expect(checkChosenPassword(password, 15, names)?.code).toBe(code);
  });

  it("accepts shorter passwords if the policy allows, and then rejects more common ones", () => {
    expect(checkChosenPassword("rain-coat-7", 8)).toBeUndefined();
    expect(checkChosenPassword("P@ssw0rd1", 8)?.code).toBe("common");
    expect(checkChosenPassword("iloveyou", 8)?.code).toBe("common");
  });
});
