import { beforeEach, describe, expect, it } from "vitest";
import { appliedContext, type BareContext, countRows } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { addPasskey, removePasskey } from "./passkey";
import { addAuthenticatorApp } from "./second-factor";

const users = [{ id: "ann", userName: "ann" }];
const ann = { id: "ann", organizationId: "o" };
const origin = { actor: "ann" };
const secret = "JBSWY3DPEHPK3PXP";

describe.each(databaseKinds)("the factors of a user (%s)", (kind) => {
  let ctx: BareContext;
  const app = (id: string) => addAuthenticatorApp({ ...ctx, origin }, ann, { id, secret, timeStep: 1, name: id });
  const passkey = (id: string) =>
    addPasskey({ ...ctx, origin }, ann, {
      id,
      name: id,
      publicKey: "",
      counter: 0,
      transports: "",
      aaguid: "",
      isMultiDevice: false,
      isBackedUp: false,
      isUserVerified: true,
    });

  /** Adds one after the other, then ten at the same time; returns the outcomes of these. */
  async function addBeyond(inTurn: number, add: (id: string) => Promise<{ kind: string }>): Promise<string[]> {
    for (let number = 0; number < inTurn; number++) expect(await add(`n${number}`)).toMatchObject({ kind: "added" });
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, number) => add(`at once ${number}`)));
    return outcomes.map(({ kind }) => kind).sort();
  }

  beforeEach(async () => {
    ctx = await appliedContext(kind, { organizations: [{ id: "o", name: "O", users }] });
  });

  it("are limited to 20 passkeys, also when several are added at the same time", async () => {
    expect(await addBeyond(18, passkey)).toEqual([...Array(2).fill("added"), ...Array(8).fill("too-many")]);
    expect(await countRows(ctx, "Passkey")).toBe(20);
  });

  it("are limited to 5 authenticator apps, also when several are added at the same time", async () => {
    expect(await addBeyond(3, app)).toEqual([...Array(2).fill("added"), ...Array(8).fill("too-many")]);
    expect(await countRows(ctx, "SecondFactor")).toBe(5);
  });

  it("keep the recovery codes when the last passkey is removed while an app is added", async () => {
    for (let round = 0; round < 10; round++) {
      await passkey(`old ${round}`);
      const [added] = await Promise.all([app(`new ${round}`), removePasskey({ ...ctx, origin }, ann, `old ${round}`)]);
      expect(added).toMatchObject({ kind: "added" });
      expect(await countRows(ctx, "RecoveryCode")).toBe(10);
      await ctx.db.transaction((tx) => tx.secondFactor.deleteMany({}));
      await ctx.db.transaction((tx) => tx.recoveryCode.deleteMany({}));
    }
  });
});
