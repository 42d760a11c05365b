import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { findPolicy, type PolicyKind, setPolicy } from "./policies";
import { schemas } from "./settings";

const ORIGIN = { actor: "operator" };

describe.each(["sqlite", "postgresql"] as const)("policies on %s", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await bareContext(kind);
  });
  afterAll(() => ctx.db.close());

  const set = (ownerId: string, policy: PolicyKind, settings: object) =>
    changeDirectory(ctx, (ctx) => setPolicy({ ...ctx, origin: ORIGIN }, ownerId, policy, settings));

  it("fall back for each setting from organization to instance to built-in value", async () => {
    const { id } = await findInstance(ctx);
    const none = { tosLink: "", privacyLink: "", helpLink: "", supportEmail: "", docsLink: "" };
    expect(await findPolicy(ctx, "privacy", "acme")).toEqual(none);
    await set(id, "privacy", { tosLink: "https://a.test/tos", helpLink: "https://a.test/help" });
    await set("acme", "privacy", { helpLink: "https://acme.test/help" });
    expect(await findPolicy(ctx, "privacy", "acme")).toEqual({
      ...none,
      tosLink: "https://a.test/tos",
      helpLink: "https://acme.test/help",
    });
    expect((await findPolicy(ctx, "privacy", "other")).helpLink).toBe("https://a.test/help");
    expect((await findPolicy(ctx, "privacy", undefined)).helpLink).toBe("https://a.test/help");
  });

  it("apply at once in the process that sets them, and record a change only once", async () => {
    expect(await findPolicy(ctx, "login", "acme")).toMatchObject({
      allowRegister: true,
      forceMfa: false,
      mfaInitSkipLifetime: 0,
      passkeyOfferInterval: 2_592_000,
    });
    const first = await set("acme", "login", { allowRegister: false });
    expect(await findPolicy(ctx, "login", "acme")).toMatchObject({ allowRegister: false });
    expect(await set("acme", "login", { allowRegister: false })).toEqual(first);
    const event = await ctx.db.prisma.event.findFirstOrThrow({
      where: { type: "policy.set", aggregateId: "acme login" },
    });
    expect(event.payload).toEqual({ kind: "login", settings: { from: null, to: { allowRegister: false } } });
  });
});

describe("the validation of policies", () => {
  it.each([
    ["password", { minLength: 7 }],
    ["password", { minLength: 73 }],
    ["lockout", { maxPasswordAttempts: 101 }],
    ["privacy", { tosLink: "javascript:alert(1)" }],
    ["login", { allowRegister: "yes" }],
    ["login", { unknown: true }],
  ] as const)("rejects the %s policy %j", (policy, settings) => {
    expect(schemas[policy].partial().safeParse(settings).success).toBe(false);
  });

  it("accepts a policy without some of its settings", () => {
    expect(schemas.privacy.partial().parse({ tosLink: "" })).toEqual({ tosLink: "" });
  });
});
