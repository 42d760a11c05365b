import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modesOn, type Plan, providers, startProvider, typesOn, walk } from "../../testing/conformance";
import { commonModules } from "../../testing/conformance-modules";
import { BASE_URL } from "../../testing/test-context";

const plans = providers.flatMap((kind) =>
  modesOn(kind).flatMap((mode) =>
    typesOn(kind, ["id_token", "id_token token"]).map((responseType) => ({ kind, mode, responseType })),
  ),
);
const title = "oidcc-implicit-certification-test-plan, $responseType, response_mode $mode, on $kind";

describe.each(plans)(title, (planKind) => {
  let plan: Plan;
  beforeAll(async () => {
    plan = { ...planKind, service: await startProvider(planKind.kind), clientId: "implicit" };
  });
  afterAll(() => plan.service.close());

  commonModules(planKind, () => plan);

  // Its own choice; the certified provider leaves to the id_token what the id_token says.
  if (planKind.kind !== "oidc-provider") {
    it("names the issuer in every response (RFC 9207 §2)", async () => {
      expect((await walk(plan, plan.service.browser())).values.get("iss")).toBe(BASE_URL);
    });
  }
});
