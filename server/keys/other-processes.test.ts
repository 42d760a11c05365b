import { beforeEach, describe, expect, it } from "vitest";
import { ensureInstance } from "../directory/instance";
import { type BareContext, bareContext } from "../testing/bare-context";
import { connectTestDatabase, testDatabaseUrl } from "../testing/database";
import { createSigningKey } from "./create-signing-key";
import { rereadWithOthers } from "./key-ring";
import { removeSigningKey } from "./remove-signing-key";
import { rotateSigningKey } from "./rotate-signing-key";
import { ensureSigningKeys, listSigningKeys, publicKey, publicKeys, signingKey } from "./signing-keys";

const origin = { actor: "u-ada" };

// The clocks do not advance: a process's copy never becomes old, and only announcements make it read again.
describe("signing keys that one of several processes changes", () => {
  let writer: BareContext;
  let reader: BareContext;
  beforeEach(async () => {
    const url = await testDatabaseUrl("postgresql");
    writer = await bareContext("postgresql", await connectTestDatabase(url));
    reader = await bareContext("postgresql", await connectTestDatabase(url));
    await ensureSigningKeys(writer, (await ensureInstance(writer)).id);
    for (const ctx of [writer, reader]) {
      await rereadWithOthers(ctx);
      await publicKeys(ctx);
    }
  });

  const published = async () => (await publicKeys(reader)).map(({ kid }) => kid);

  it("neither sign nor are published in other processes after they were removed", async () => {
    const leaked = (await signingKey(reader)).kid;
    const removed = await removeSigningKey({ ...writer, origin }, leaked);
    expect((await signingKey(reader)).kid).toBe(removed?.activeKeyId);
    expect(await published()).not.toContain(leaked);
    expect(await publicKey(reader, leaked)).toBeUndefined();
  });

  it("are published by all processes as soon as the request to create one is answered", async () => {
    const made = await createSigningKey({ ...writer, origin }, "ES256");
    expect(await published()).toContain("kid" in made && made.kid);
    const turn = await rotateSigningKey({ ...writer, origin }, "ES256");
    const states = (await listSigningKeys(reader)).filter(({ algorithm }) => algorithm === "ES256");
    expect(states.find(({ kid }) => kid === turn.kid)?.activeFrom).toBe(turn.activeFrom);
  });

  it("are not unsealed again when they are reread", async () => {
    const { privateKey } = await signingKey(reader);
    await createSigningKey({ ...writer, origin }, "RS256");
    expect((await signingKey(reader)).privateKey).toBe(privateKey);
  });
});
