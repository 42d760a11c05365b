import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { zitadelDescriptors } from "../../../scripts/zitadel-protos.mjs";
import { root } from "../../root";
import { zitadelDocument } from "../../testing/zitadel-document";

it("docs/zitadel.md lists what is answered of every procedure of ZITADEL (run with -u after a change)", async () => {
  await expect(await zitadelDocument()).toMatchFileSnapshot(path.join(root, "docs/zitadel.md"));
});

it("the descriptors are those of the package (node scripts/zitadel-protos.mjs makes them)", async () => {
  const made = Buffer.from(await zitadelDescriptors());
  expect(made.equals(readFileSync(path.join(root, "proto/zitadel.binpb")))).toBe(true);
});
