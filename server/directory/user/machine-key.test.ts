import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { isApiError } from "../../protocol/api-error";
import { deleteOrganization } from "../../storage/organization/organization";
import { appliedContext, type BareContext, countRows } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import {
  listOrganizationMetadata,
  removeOrganizationMetadata,
  setOrganizationMetadata,
} from "../organization/metadata";
import type { PublicJwk } from "../public-key";
import { addKeyToMachine, removeKeyOfMachine } from "./machine-key";
import { setUserMetadata } from "./metadata";
import { makePersonalAccessToken } from "./personal-access-token";

const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }) as PublicJwk;
const machines = [{ id: "m", userName: "robot" }];
const users = [{ id: "owner", userName: "owner", roles: ["IAM_OWNER"] }];
const file = { organizations: [{ id: "o", name: "O", machines, users }] };
const ref = { organizationId: "o", userId: "m" };
const origin = { actor: "owner" };

describe.each(databaseKinds)("the credentials and metadata of a machine (%s)", (kind) => {
  let ctx: BareContext;
  const addKey = (keyId: string) => addKeyToMachine({ ...ctx, origin }, ref, { keyId, publicKey });
  const addToken = () => makePersonalAccessToken({ ...ctx, origin }, ref, {});
  const addEntry = (key: string) => setUserMetadata({ ...ctx, origin }, ref, [{ key, bytes: Buffer.from("1") }]);

  /** Adds one after the other, then ten at the same time; returns the ids of the errors. */
  async function refusedBeyond(inTurn: number, add: (name: string) => Promise<unknown>): Promise<string[]> {
    for (let number = 0; number < inTurn; number++) await add(`n${number}`);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, number) => add(`at once ${number}`)));
    return outcomes.filter(isApiError).map(({ id }) => id);
  }

  beforeEach(async () => {
    ctx = await appliedContext(kind, file);
  });

  it("are limited to 50 keys, also when several are added at the same time", async () => {
    expect(await refusedBeyond(48, addKey)).toEqual(Array(8).fill("machine.too_many_keys"));
    expect(await countRows(ctx, "MachineKey")).toBe(50);
    expect(isApiError(await removeKeyOfMachine({ ...ctx, origin }, ref, "n7"))).toBe(false);
    expect(isApiError(await addKey("n7"))).toBe(false);
  });

  it("are limited to 50 personal access tokens, also when several are made at the same time", async () => {
    expect(await refusedBeyond(48, addToken)).toEqual(Array(8).fill("machine.too_many_tokens"));
    expect(await countRows(ctx, "PersonalAccessToken")).toBe(50);
  });

  it("are limited to 100 entries of metadata, also when several are set at the same time", async () => {
    expect(await refusedBeyond(98, addEntry)).toEqual(Array(8).fill("metadata.too_many"));
    expect(await countRows(ctx, "UserMetadata")).toBe(100);
  });

  it("of its organization are limited to 100 entries too, and are removed with it", async () => {
    const set = (key: string) => setOrganizationMetadata({ ...ctx, origin }, "o", [{ key, bytes: Buffer.from("1") }]);
    expect(await refusedBeyond(98, set)).toEqual(Array(8).fill("metadata.too_many"));
    expect(await countRows(ctx, "OrganizationMetadata")).toBe(100);
    expect(await removeOrganizationMetadata({ ...ctx, origin }, "o", ["n1", "none"])).toMatchObject({
      id: "metadata.not_found",
    });
    expect(await removeOrganizationMetadata({ ...ctx, origin }, "o", ["n1", "n2"])).toBeUndefined();
    expect((await listOrganizationMetadata(ctx, "o")).map(({ key }) => key)).not.toContain("n1");
    expect(await countRows(ctx, "OrganizationMetadata")).toBe(98);
    await ctx.db.transaction((tx) => deleteOrganization(tx, "o"));
    expect(await countRows(ctx, "OrganizationMetadata")).toBe(0);
  });

  it("have unique key ids, also when keys with the same id are added at the same time", async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => addKey("same")));
    expect(outcomes.filter(isApiError).map(({ id }) => id)).toEqual(Array(4).fill("machine.key_id_taken"));
  });
});
