import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { newAuthenticator } from "../../testing/authenticator";
import { ruleDatabases } from "../../testing/database";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("passkeys added on a page of the caller, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    for (const name of ["colleague", "nobody"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
  });
  afterAll(() => service.close());

  const call = (path: string, body: object = {}, as = "colleague") =>
    callApi(service, "POST", `/v2/users/u-bob${path}`, { token: tokens[as], body });
  const made = (answer: { body: { publicKeyCredentialCreationOptions: { publicKey: never } } }) =>
    JSON.parse(newAuthenticator().create(answer.body.publicKeyCredentialCreationOptions.publicKey)) as object;
  const methods = async () =>
    (await callApi(service, "GET", "/v2/users/u-bob/authentication_methods", { token: tokens.colleague })).body
      .authMethodTypes;

  it("are requested, made by the browser and kept once, with recovery codes for the first", async () => {
    const asked = await call("/passkeys", { authenticator: "PASSKEY_AUTHENTICATOR_PLATFORM", domain: "localhost" });
    expect(asked.body.publicKeyCredentialCreationOptions.publicKey.authenticatorSelection).toMatchObject({
      authenticatorAttachment: "platform",
    });
    const at = `/passkeys/${asked.body.passkeyId}`;
    const body = { publicKeyCredential: made(asked), passkeyName: "Laptop" };
    expect(refusalOf(await call(at, body, "nobody")).status).toBe(403);
    const kept = await call(at, body);
    expect([kept.status, kept.body.recoveryCodes?.length]).toEqual([200, 10]);
    expect(refusalOf(await call(at, body)).id).toBe("passkey.refused");
    const list = (await call("/passkeys/_search")).body.result;
    expect(list).toMatchObject([{ name: "Laptop" }]);
    const event = await service.ctx.db.prisma.event.findFirst({ where: { type: "user.passkey.added" } });
    expect(event).toMatchObject({ actor: expect.not.stringMatching(/^u-bob$/), aggregateId: "u-bob" });
  });

  it("keys that only confirm a sign-in are no passkeys", async () => {
    const asked = await call("/u2f", {});
    const kept = await call(`/u2f/${asked.body.u2fId}`, { publicKeyCredential: made(asked), tokenName: "Key" });
    expect([kept.status, kept.body.recoveryCodes]).toEqual([200, undefined]);
    expect((await call("/passkeys/_search")).body.result).toHaveLength(1);
    expect(await methods()).toContain("AUTHENTICATION_METHOD_TYPE_U2F");
  });

  it("use up the code of a link, which is the user's own", async () => {
    const link = (await call("/passkeys/registration_link", { returnCode: {} })).body;
    const asked = await call("/passkeys", { code: link.code });
    const body = { publicKeyCredential: made(asked) };
    expect((await call(`/passkeys/${asked.body.passkeyId}`, body)).status).toBe(200);
    expect(refusalOf(await call("/passkeys", { code: link.code })).id).toBe("passkey.wrong_code");
  });

  it("are refused on another host, for another request, and after half an hour", async () => {
    expect(refusalOf(await call("/passkeys", { domain: "login.acme.test" })).id).toBe("session.other_domain");
    const [one, other] = [await call("/passkeys"), await call("/passkeys")];
    const wrong = await call(`/passkeys/${one.body.passkeyId}`, { publicKeyCredential: made(other) });
    expect(refusalOf(wrong).id).toBe("passkey.refused");
    service.advance(31 * 60_000);
    tokens.colleague = await apiToken(service, "colleague@acme.test");
    const late = await call(`/passkeys/${other.body.passkeyId}`, { publicKeyCredential: made(other) });
    expect(refusalOf(late).id).toBe("passkey.refused");
  });

  it("recovery codes are replaced, and a skipped factor is noted", async () => {
    const { recoveryCodes } = (await call("/recovery_codes", { count: 5 })).body;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await call("/mfa_init_skipped")).status).toBe(200);
    const skipped = await service.ctx.db.prisma.event.count({ where: { type: "user.second_factor.skipped" } });
    expect(skipped).toBe(1);
  });
});
