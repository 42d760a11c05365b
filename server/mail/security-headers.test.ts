import { expect, it } from "vitest";
import { MESSAGE_TYPES } from "../message-types/table";
import { exampleBootstrap } from "../testing/example";
import { testService } from "../testing/test-context";
import { composeMessage } from "./compose";

/** RFC 2369 and RFC 8058: mails that protect an account must not offer to unsubscribe. */
it("no mail offers to unsubscribe, and all are marked as automatically generated", async () => {
  const service = await testService("sqlite", exampleBootstrap);
  const wrong: string[] = [];
  for (const type of MESSAGE_TYPES) {
    const made = await composeMessage(service.ctx, { type, userId: "u-ada", withSamples: true });
    if (typeof made === "string") throw new Error(`${type}: ${made}`);
    const names = Object.keys(made.headers).map((name) => name.toLowerCase());
    if (names.some((name) => name.startsWith("list-") || name === "precedence")) wrong.push(type);
    if (made.headers["Auto-Submitted"] !== "auto-generated") wrong.push(`${type} does not say so`);
  }
  expect(wrong).toEqual([]);
  await service.close();
});
