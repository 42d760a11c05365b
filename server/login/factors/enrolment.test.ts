import { afterAll, beforeAll, expect, it } from "vitest";
import { findUser } from "../../directory/user/user";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { keepNewPasskey } from "./passkey";
import { requestNewPasskey } from "./passkey-request";
import { confirmApp, resumeApp } from "./set-up-factor";

let service: TestService;
beforeAll(async () => {
  service = await testService("sqlite", exampleBootstrap);
});
afterAll(() => service.close());

it("accepts a sealed enrolment only for its own kind, app or passkey", async () => {
  const { ctx } = service;
  const ada = await findUser(ctx, "u-ada");
  if (!ada) throw new Error("no ada");
  const passkey = (await requestNewPasskey(ctx, ada)).sealed;
  const form = { sealed: passkey, code: "123456", name: "x", cause: {} };
  expect(await confirmApp(ctx, ada, form)).toEqual({ kind: "expired" });
  expect((await resumeApp(ctx, ada, passkey)).sealed).not.toBe(passkey);
  const { sealed } = await resumeApp(ctx, ada, undefined);
  const made = { sealed, credential: "{}", cause: {} };
  expect(await keepNewPasskey(ctx, ada, made)).toEqual({ kind: "refused" });
  expect(await confirmApp(ctx, ada, { ...form, sealed })).toMatchObject({ kind: "refused", reason: "wrong" });
});
