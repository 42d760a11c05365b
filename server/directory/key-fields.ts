/** The fields of a key registration: the public key in PEM, and its expiry. */
import { z } from "zod";
import { isTimestamp } from "../protocol/moment";
import { asMessage, isReason, issue } from "../protocol/reason";
import { jwkFromPem } from "./public-key";

/** Converts a public key or certificate in PEM to a JWK. */
export const pemKey = z.string().transform((value, issues) => {
  const jwk = jwkFromPem(value);
  if (!isReason(jwk)) return jwk;
  issues.addIssue({ code: "custom", message: asMessage(jwk) });
  return z.NEVER;
});

/** Converts an RFC 3339 time to epoch milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: issue("time") })
  .transform(Date.parse)
  .refine(isTimestamp, { error: issue("time_range") });
