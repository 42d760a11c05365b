/** The modules that the FAPI 2.0 plans of the conformance suite have for DPoP (RFC 9449). */
import { exportJWK } from "jose";
import { expect } from "vitest";
import { asAlgorithm } from "./client-keys";
import { expectRefusal, type FapiModules } from "./fapi-modules";
import type { FapiPlan } from "./fapi-plan";
import { BASE_URL } from "./test-context";

const jktOf = ({ dpopKey }: FapiPlan["client"]) => dpopKey.kid;
const MISMATCH = ["invalid_request", "invalid_grant", "invalid_dpop_proof"];

/** Sends the request, the redemption and a userinfo request with the same changes of the proofs. */
async function acceptsProofs(at: FapiPlan, claims: Record<string, number>): Promise<void> {
  const { status, body } = await at.redeemed({ proof: { claims } }, { bound: true, proof: { claims } });
  expect(status).toBe(200);
  expect(await at.userinfo(body.access_token ?? "", at.client, "DPoP", { claims })).toBe(200);
}

export const dpopModules: FapiModules = {
  "check-dpop-proof-nbf-exp": (at) => acceptsProofs(at, { nbf: at.now(), exp: at.now() + 300 }),
  "ensure-dpopproof-with-iat-10seconds-before-succeeds": (at) => acceptsProofs(at, { iat: at.now() - 10 }),
  "ensure-dpopproof-with-iat-10seconds-after-succeeds": (at) => acceptsProofs(at, { iat: at.now() + 10 }),
  "ensure-mismatched-dpop-jkt-fails": async (at) =>
    expectRefusal(await at.push({ bound: true, form: { dpop_jkt: jktOf(at.client2) } }), ...MISMATCH),
  "ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt": async (at) =>
    expectRefusal(await at.redeemed({ proof: { by: at.client2.dpopKey } }, { bound: true }), ...MISMATCH),
  "ensure-token-endpoint-fails-with-mismatched-dpop-jkt": async (at) =>
    expectRefusal(
      await at.redeemed({ proof: { by: at.client2.dpopKey } }, { form: { dpop_jkt: jktOf(at.client) } }),
      ...MISMATCH,
    ),
  async "ensure-dpopproof-at-par-endpoint-binding-success, ensure-dpop-auth-code-binding-success"(at) {
    const form = { dpop_jkt: jktOf(at.client) };
    for (const pushed of [{ bound: true }, { bound: true, form }, { form }]) {
      expect((await at.redeemed({}, pushed)).status).toBe(200);
    }
  },
  async "dpop-negative-tests"(at) {
    const { access_token = "" } = await at.tokens();
    const ask = (signed: Parameters<FapiPlan["proof"]>[4]) => at.userinfo(access_token, at.client, "DPoP", signed);
    const htu = `${BASE_URL}/oidc/v1/userinfo`;
    for (const claims of [{ htu: `${htu}?a=b#c` }, { htu: htu.replace("http:", "HTTP:") }, { extra: "claim" }]) {
      expect([claims, await ask({ claims })]).toEqual([claims, 200]);
    }
    for (const missing of ["jti", "htm", "htu", "iat", "ath"]) {
      expect([missing, await ask({ claims: { [missing]: undefined } })]).toEqual([missing, 401]);
    }
    const wrong = [
      { htm: "POST" },
      { htu: `${htu}/x` },
      { ath: "x" },
      { iat: at.now() - 3600 },
      { iat: at.now() + 3600 },
    ];
    for (const claims of wrong) expect([claims, await ask({ claims })]).toEqual([claims, 401]);
    const { privateKey } = at.client.dpopKey;
    const secret = { ...at.client.dpopKey.jwk, d: (await exportJWK(privateKey)).d };
    for (const header of [{ typ: "JWT" }, { typ: undefined }, { jwk: undefined }, { jwk: secret }]) {
      expect([header, await ask({ header })]).toEqual([header, 401]);
    }
    expect(await ask({ by: await asAlgorithm(at.rsa, "RS256") })).toBe(401);
    expect(await ask({ by: at.client2.dpopKey })).toBe(401);
    const claims = { jti: "once" };
    expect([await ask({ claims }), await ask({ claims })]).toEqual([200, 401]);
    expect([await at.userinfo(access_token, null), await at.userinfo(access_token, null, "Bearer")]).toEqual([
      401, 401,
    ]);
    expect(await ask({})).toBe(200);
  },
};
