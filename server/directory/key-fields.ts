/** The fields of a key registration: the public key in PEM, and its expiry. */
import { z } from "zod";
import { isTimestamp } from "../protocol/moment";
import { jwkFromPem } from "./public-key";

/** A public key or certificate in PEM; becomes a JWK. */
export const pemKey = z.string().transform((value, issues) => {
  const jwk = jwkFromPem(value);
  if (typeof jwk !== "string") return jwk;
  issues.addIssue({ code: "custom", message: jwk });
  return z.NEVER;
});

/** Becomes epoch milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a time, as in 2030-01-01T00:00:00Z" })
  .transform(Date.parse)
  .refine(isTimestamp, { error: "must be a time between the years 1970 and 9999" });
