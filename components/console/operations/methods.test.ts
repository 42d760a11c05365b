import { expect, it } from "vitest";
import { signInWays } from "./methods";

it("lists each sign-in method of a session once, and keeps unknown ones", () => {
  const cases = [
    [["pwd"], { known: ["pwd"], others: [] }],
    [["pwd", "otp", "mfa"], { known: ["pwd", "otp"], others: [] }],
    [["hwk", "user", "mfa"], { known: ["passkey"], others: [] }],
    [["pwd", "swk", "user", "hwk", "mfa"], { known: ["pwd", "passkey"], others: [] }],
    [["face", "mfa", "face"], { known: [], others: ["face"] }],
    [[], { known: [], others: [] }],
  ] as const;
  for (const [methods, ways] of cases) expect({ methods, ways: signInWays(methods) }).toEqual({ methods, ways });
});
