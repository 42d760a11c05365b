import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digest } from "../../crypto/digest";
import { findAsset } from "../../storage/branding/assets";
import type { Transaction } from "../../storage/database";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { ruleDatabases } from "../../testing/database";
import { png } from "../../testing/pictures";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { findBrand } from "./branding";
import { activateLabel, draftLabel, removeLabel, removePicture, setPicture } from "./label";

const ORIGIN = { actor: "operator" };

describe.each(ruleDatabases)("the look of a level on %s", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await bareContext(kind);
  });
  afterAll(() => ctx.db.close());

  const change = <T>(work: (tx: Transaction) => Promise<T>) => changeDirectory(ctx, ({ tx }) => work(tx));
  const picture = (width: number) => new Uint8Array(png(width, 9));
  const put = (ownerId: string, name: "logo" | "logoDark", content: Uint8Array<ArrayBuffer>) =>
    change((tx) => setPicture({ ...ctx, tx, origin: ORIGIN }, { id: ownerId, picture: name }, content));
  const activate = (ownerId: string) => change((tx) => activateLabel({ ...ctx, tx, origin: ORIGIN }, ownerId));

  it("stores pictures unchanged under their digest", async () => {
    const content = picture(30);
    await put("acme", "logo", content);
    const kept = await findAsset(ctx.db, digest(content));
    expect(kept?.contentType).toBe("image/png");
    expect(Buffer.from(kept?.content ?? []).equals(Buffer.from(content))).toBe(true);
  });

  it("is not used before it is activated, and keeps drafted colours and pictures together", async () => {
    await change((tx) => draftLabel({ ...ctx, tx, origin: ORIGIN }, "acme", { primaryColor: "#d00000" }));
    expect(await findBrand(ctx, "acme")).toMatchObject({ isNeutral: true, logo: undefined });
    await activate("acme");
    const brand = await findBrand(ctx, "acme");
    expect([brand.light.primary, brand.dark.primary, brand.logo?.light.width]).toEqual(["#d00000", "#d00000", 30]);
    expect(await findBrand(ctx, "acme")).toBe(brand);
  });

  it("does not combine an organization's light logo with the instance's dark logo", async () => {
    const { id } = await findInstance(ctx);
    await put(id, "logo", picture(40));
    await put(id, "logoDark", picture(41));
    await activate(id);
    expect((await findBrand(ctx, "other")).logo).toMatchObject({ light: { width: 40 }, dark: { width: 41 } });
    expect((await findBrand(ctx, "acme")).logo).toMatchObject({ light: { width: 30 }, dark: undefined });
    await change((tx) => removePicture({ ...ctx, tx, origin: ORIGIN }, { id: "acme", picture: "logo" }));
    await activate("acme");
    expect((await findBrand(ctx, "acme")).logo).toMatchObject({ light: { width: 40 }, dark: { width: 41 } });
  });

  it("is inherited again after it is removed, while its pictures are kept for mails that were sent", async () => {
    await change((tx) => removeLabel({ ...ctx, tx, origin: ORIGIN }, "acme"));
    expect(await findBrand(ctx, "acme")).toMatchObject({ isNeutral: true, logo: { light: { width: 40 } } });
    expect(await findAsset(ctx.db, digest(picture(30)))).toBeDefined();
  });
});
