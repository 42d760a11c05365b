import { describe, expect, it } from "vitest";
import { consoleMessages } from "../../messages/console";
import { grantTypeLabels, settingLabels } from "../protocol/setting-names";

describe("The settings that refusals name", () => {
  it("have the labels of the console", () => {
    expect(consoleMessages.en?.apps).toMatchObject(settingLabels);
    expect(consoleMessages.en?.apps.by.setting).toMatchObject(grantTypeLabels);
  });
});
