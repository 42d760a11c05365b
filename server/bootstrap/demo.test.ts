/** The file that `npm run dev` starts with can be applied to an empty database, twice. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "../root";
import { testService } from "../testing/test-context";
import { applyBootstrap } from "./apply";
import { parseBootstrap } from "./parse";

it("the demo file is applied in development, the second time without a change", async () => {
  const demo = parseBootstrap(JSON.parse(readFileSync(path.join(root, "scripts", "demo.json"), "utf8")));
  const service = await testService("sqlite", demo);
  const { created, updated } = await applyBootstrap(service.ctx, demo);
  expect({ created, updated }).toEqual({ created: [], updated: [] });
  await service.close();
});
