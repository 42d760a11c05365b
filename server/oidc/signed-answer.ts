/** Responses that are a JWT of this service instead of JSON (OIDC Core §5.3.2, RFC 9701). */
import type { Context } from "../context";
import { signJwt } from "../keys/sign-jwt";
import { signingKey } from "../keys/signing-keys";
import type { SigningAlgorithm } from "../protocol/client";

/** A response whose body is a JWT. */
export class SignedAnswer {
  constructor(
    readonly jwt: string,
    readonly contentType: string,
  ) {}
}

/** Signs a response. The issuer is added to its claims. */
export async function signAnswer(
  ctx: Context,
  algorithm: SigningAlgorithm,
  { typ, contentType, claims }: { typ: string; contentType: string; claims: Readonly<Record<string, unknown>> },
): Promise<SignedAnswer> {
  const key = await signingKey(ctx, algorithm);
  return new SignedAnswer(await signJwt(key, typ, { ...claims, iss: ctx.config.baseUrl }), contentType);
}
