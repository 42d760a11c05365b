import { createTranslator } from "next-intl";
import { expect, it } from "vitest";
import { consoleMessages } from "./console";
import { onMissing } from "./missing";

it("a stored value of a newer release is shown as it is, and any other missing text is a bug", () => {
  const t = createTranslator<Record<string, never>>({
    locale: "en",
    messages: consoleMessages.en as never,
    ...onMissing,
  });
  expect(t("attempts.by.reason.wrong_password" as never)).toBe("Wrong password");
  expect(t("attempts.by.reason.of_a_newer_release" as never)).toBe("of_a_newer_release");
  expect(t("states.of_a_newer_release" as never)).toBe("of_a_newer_release");
  expect(() => t("attempts.newer" as never)).toThrow("MISSING_MESSAGE");
  expect(() => t("attempts.count" as never)).toThrow("FORMATTING_ERROR");
});
