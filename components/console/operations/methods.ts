// The sign-in methods of a session (RFC 8176 §2), for display in words.

/** A sign-in method; each has a text, `operations.by.method.<way>`. */
export type SignInWay = "pwd" | "passkey" | "otp";

/** Values without information of their own: several factors were used, and the user was present. */
const IMPLIED: ReadonlySet<string> = new Set(["mfa", "user"]);

/**
 * Sign-in methods by value. A passkey's key may leave its device or not (`swk`, `hwk`); the display does not
 * distinguish these.
 */
const WAYS: ReadonlyMap<string, SignInWay> = new Map([
  ["pwd", "pwd"],
  ["hwk", "passkey"],
  ["swk", "passkey"],
  ["otp", "otp"],
]);

export interface SignInWays {
  /** The known methods in order of use, each once. */
  known: SignInWay[];
  /** The unknown values, unchanged. */
  others: string[];
}

/**
 * Returns the sign-in methods.
 * @param methods the `amr` of the session
 */
export function signInWays(methods: readonly string[]): SignInWays {
  const known = methods.map((method) => WAYS.get(method)).filter((way) => way !== undefined);
  const others = methods.filter((method) => !WAYS.has(method) && !IMPLIED.has(method));
  return { known: [...new Set(known)], others: [...new Set(others)] };
}
