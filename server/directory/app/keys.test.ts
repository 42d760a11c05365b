import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { isApiError } from "../../protocol/api-error";
import { appliedContext, type BareContext, countRows } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import type { PublicJwk } from "../public-key";
import { addKeyToApp, removeKeyOfApp } from "./keys";

const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }) as PublicJwk;
const clientSecret = "0123456789abcdef0123456789abcdef0123";
const apps = [{ id: "a", name: "A", oidc: { clientId: "web", clientSecret, redirectUris: ["https://rp.test/cb"] } }];
const file = { organizations: [{ id: "o", name: "O", projects: [{ id: "p", name: "P", apps }] }] };
const place = { organizationId: "o", projectId: "p", appId: "a" };
const origin = { actor: "operator" };

describe.each(databaseKinds)("the keys of an app (%s)", (kind) => {
  let ctx: BareContext;
  const add = (keyId: string) => addKeyToApp({ ...ctx, origin }, place, { keyId, publicKey });
  const addInTurn = async (count: number) => {
    for (let number = 0; number < count; number++) await add(`k${number}`);
  };
  beforeEach(async () => {
    ctx = await appliedContext(kind, file);
  });

  it("are limited to 50, also when several are added at the same time", async () => {
    await addInTurn(48);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, number) => add(`at once ${number}`)));
    const refusals = outcomes.filter(isApiError);
    expect(refusals.map(({ id }) => id)).toEqual(Array(8).fill("app.too_many_keys"));
    expect(await countRows(ctx, "AppKey")).toBe(50);
  });

  it("can be added again after one of 50 keys is removed", async () => {
    await addInTurn(50);
    expect(await add("one too many")).toMatchObject({ id: "app.too_many_keys" });
    expect(await removeKeyOfApp({ ...ctx, origin }, place, "k7")).toBeUndefined();
    expect(await add("k7")).toEqual({ id: "k7" });
  });

  it("have unique ids, also when keys with the same id are added at the same time", async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => add("same")));
    expect(outcomes.filter(isApiError).map(({ id }) => id)).toEqual(Array(4).fill("app.key_id_taken"));
    expect(await countRows(ctx, "AppKey")).toBe(1);
  });

  it("cannot be added to an app of another organization", async () => {
    expect(await addKeyToApp({ ...ctx, origin }, { ...place, organizationId: "other" }, { publicKey })).toMatchObject({
      id: "app.not_found",
    });
    expect(await countRows(ctx, "AppKey")).toBe(0);
  });
});
