import { expect, it, vi } from "vitest";
import type { Config } from "../config/config";
import { announceAddress } from "./announce-start";

const said = (isAllJson: boolean): string[] => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  announceAddress({ isAllJson, baseUrl: "http://id.test" } as Config, "http://id.test/setup?token=x");
  write.mockRestore();
  return lines;
};

it("says where the service is, and where it is set up, in a line each", () => {
  expect(said(false)).toEqual([
    "Identity service ready at http://id.test\n",
    "Create the first administrator (once, within an hour): http://id.test/setup?token=x\n",
  ]);
});

it("says it as the log's lines where JSON was asked for", () => {
  const [ready, setup] = said(true).map((line) => JSON.parse(line));
  expect(ready).toMatchObject({
    level: 30,
    baseUrl: "http://id.test",
    msg: "Identity service ready at http://id.test",
  });
  expect(setup).toMatchObject({ setupLink: "http://id.test/setup?token=x" });
});
