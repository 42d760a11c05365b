/** The fields of a key registration: the public key in PEM, and its expiry. */
import { z } from "zod";
import { isTimestamp } from "../protocol/moment";
import { asMessage, isReason, said } from "../protocol/reason";
import { jwkFromPem } from "./public-key";

/** A public key or certificate in PEM; becomes a JWK. */
export const pemKey = z.string().transform((value, issues) => {
  const jwk = jwkFromPem(value);
  if (!isReason(jwk)) return jwk;
  issues.addIssue({ code: "custom", message: asMessage(jwk) });
  return z.NEVER;
});

/** Becomes epoch milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: said("time") })
  .transform(Date.parse)
  .refine(isTimestamp, { error: said("time_range") });
