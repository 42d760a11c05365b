import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerIn,
  expectError,
  expectTokenError,
  expectTokens,
  modesOn,
  type Plan,
  providers,
  request,
  startProvider,
  succeed,
  walk,
} from "../../testing/conformance";
import { commonModules } from "../../testing/conformance-modules";
import { SECRET } from "../../testing/example";
import { basic, postToken } from "../../testing/flow";

const plans = providers.flatMap((kind) => modesOn(kind).map((mode) => ({ kind, mode, responseType: "code" })));

describe.each(plans)("oidcc-basic-certification-test-plan, response_mode $mode, on $kind", (planKind) => {
  let plan: Plan;
  beforeAll(async () => {
    plan = { ...planKind, service: await startProvider(planKind.kind), clientId: "web" };
  });
  afterAll(() => plan.service.close());

  commonModules(planKind, () => plan);

  it("oidcc-server-client-secret-post", async () => {
    const other = { ...plan, clientId: "post" };
    await succeed(other, await walk(other, plan.service.browser()));
  });

  it("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported", async () => {
    const response = await plan.service.browser().get(request(plan, { request_uri: "https://rp.test/request.jwt" }));
    expectError(plan, await answerIn(response), ["request_uri_not_supported"]);
  });

  it("oidcc-refresh-token: a refresh token is refused for another client and accepted for its own", async () => {
    const { service } = plan;
    const own = { ...plan, clientId: "post" };
    const given = { scope: "openid offline_access", prompt: "consent" };
    const { refreshToken = "" } = await succeed(own, await walk(own, service.browser(), given));
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    await expectTokenError(await postToken(service, form, basic("web", SECRET)), "invalid_grant");
    await expectTokens(await postToken(service, { ...form, client_id: "post", client_secret: SECRET }, null));
  });

  it("oidcc-idtoken-signature, oidcc-idtoken-unsigned: RS256 with a kid, and no alg none", async () => {
    await succeed(plan, await walk(plan, plan.service.browser())); // checked on every id_token
    const discovery = (await (await plan.service.fetch("/.well-known/openid-configuration")).json()) as {
      id_token_signing_alg_values_supported: string[];
    };
    expect(discovery.id_token_signing_alg_values_supported).not.toContain("none");
  });
});
