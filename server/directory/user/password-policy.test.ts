import { describe, expect, it } from "vitest";
import { builtIn } from "../policy/built-in";
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
    expect(checkChosenPassword(password, builtIn.password, names)?.code).toBe(code);
  });

  it("accepts shorter passwords if the policy allows, and then rejects more common ones", () => {
    const short = { ...builtIn.password, minLength: 8 };
    expect(checkChosenPassword("rain-coat-7", short)).toBeUndefined();
    expect(checkChosenPassword("P@ssw0rd1", short)?.code).toBe("common");
    expect(checkChosenPassword("iloveyou", short)?.code).toBe("common");
  });

  it.each([
    ["hasUppercase", "correct horse battery 1!", "Correct horse battery 1!"],
    ["hasLowercase", "CORRECT HORSE BATTERY 1!", "CORRECT HoRSE BATTERY 1!"],
    ["hasNumber", "Correct horse battery!", "Correct horse battery 1!"],
    ["hasSymbol", "Äpfelbirnenpflaumen1", "Äpfel birnenpflaumen1"],
  ] as const)("asks for the characters of %s only if the policy does", (kind, without, having) => {
    const policy = { ...builtIn.password, [kind]: true };
    expect(checkChosenPassword(without, policy)).toEqual({ code: kind });
    expect(checkChosenPassword(having, policy)).toBeUndefined();
    expect(checkChosenPassword(without, builtIn.password)).toBeUndefined();
  });
});
