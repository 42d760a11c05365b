import { afterAll, beforeAll, describe, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { dpopModules } from "../../testing/fapi-dpop-modules";
import { type FapiModules, messageSigningModules, securityProfileModules } from "../../testing/fapi-modules";
import { type FapiPlan, type FapiVariant, fapiPlan } from "../../testing/fapi-plan";

type Variant = FapiVariant & { plan: string; modules: FapiModules };

const securityProfile = ruleDatabases.flatMap((kind) =>
  (["dpop", "mtls"] as const).map(
    (constrain): Variant => ({
      plan: "fapi2-security-profile-final-test-plan",
      kind,
      constrain,
      profile: "PROFILE_FAPI2",
      modules: { ...securityProfileModules, ...(constrain === "dpop" && dpopModules) },
    }),
  ),
);
const messageSigning = (["plain_response", "jarm"] as const).map(
  (responseMode): Variant => ({
    plan: `fapi2-message-signing-final-test-plan, signed_non_repudiation, ${responseMode}`,
    kind: "sqlite",
    constrain: "dpop",
    profile: "PROFILE_FAPI2_MESSAGE_SIGNING",
    responseMode,
    modules: { ...securityProfileModules, ...dpopModules, ...messageSigningModules },
  }),
);
const title = "$plan, private_key_jwt, sender_constrain $constrain, on $kind";

describe.each([...securityProfile, ...messageSigning])(title, ({ modules, ...variant }) => {
  let at: FapiPlan;
  beforeAll(async () => {
    at = await fapiPlan(variant);
  });
  afterAll(() => at.close());

  it.each(Object.entries(modules))("fapi2-security-profile-final-%s", async (_, module) => {
    await module(at);
  });
});
