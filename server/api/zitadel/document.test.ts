import { readdirSync } from "node:fs";
import path from "node:path";
import type { DescFile, DescService } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { root } from "../../root";
import { zitadelDocument } from "../../testing/zitadel-document";
import { readZitadelService, type ZitadelServiceName, zitadelServiceNames } from "./descriptors";

it("docs/zitadel.md lists what is answered of every procedure of ZITADEL (run with -u after a change)", async () => {
  await expect(await zitadelDocument()).toMatchFileSnapshot(path.join(root, "docs/zitadel.md"));
});

it("the descriptors have the services of @zitadel/proto, with the fields under the same numbers", async () => {
  const folder = path.join(root, "node_modules/@zitadel/proto/es/zitadel");
  const names = readdirSync(folder, { recursive: true }).map(String);
  let compared = 0;
  for (const name of names.filter((one) => one.endsWith("_service_pb.js") && !one.startsWith("resources"))) {
    const module = (await import(path.join(folder, name))) as Record<string, DescFile | DescService>;
    for (const theirs of Object.values(module)) {
      if (theirs.kind !== "service") continue;
      expect(zitadelServiceNames).toContain(theirs.typeName);
      const service = await readZitadelService(theirs.typeName as ZitadelServiceName);
      for (const method of theirs.methods) {
        const ours = service.methods.find((one) => one.name === method.name);
        if (!ours) throw new Error(`${theirs.typeName}/${method.name} is missing`);
        for (const { name, number } of method.input.fields) {
          // Some fields were removed since.
          const field = ours.input.fields.find((one) => one.name === name);
          if (field) expect([method.name, name, field.number]).toEqual([method.name, name, number]);
        }
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(200);
});
