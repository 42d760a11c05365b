// How somebody signed in, from the methods of their session (RFC 8176 §2), so that it can be said in words.

/** Each has a text, `operations.by.method.<way>`. */
export type SignInWay = "pwd" | "passkey" | "otp";

/** What stands beside a method and says nothing more: that there were several, and that the person was present. */
const IMPLIED: ReadonlySet<string> = new Set(["mfa", "user"]);

/** The key of a passkey may leave its device or not (`swk`, `hwk`), which administrators need not tell apart. */
const WAYS: ReadonlyMap<string, SignInWay> = new Map([
  ["pwd", "pwd"],
  ["hwk", "passkey"],
  ["swk", "passkey"],
  ["otp", "otp"],
]);

export interface SignInWays {
  /** In the order in which they were used, each once. */
  known: SignInWay[];
  /** Values there is no word for, as they are. */
  others: string[];
}

/** @param methods the `amr` of the session */
export function signInWays(methods: readonly string[]): SignInWays {
  const known = methods.map((method) => WAYS.get(method)).filter((way) => way !== undefined);
  const others = methods.filter((method) => !WAYS.has(method) && !IMPLIED.has(method));
  return { known: [...new Set(known)], others: [...new Set(others)] };
}
