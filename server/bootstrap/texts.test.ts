import { describe, expect, it } from "vitest";
import { bareContext, countAllRows } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { applyBootstrap } from "./apply";

const text = (members: object) => ({ type: "init", language: "en", ...members });
const ofOrganization = (...messageTexts: object[]) => ({
  organizations: [{ id: "acme", name: "ACME", messageTexts }],
});
const ofInstance = (...messageTexts: object[]) => ({ instance: { messageTexts } });

const NOTHING_TO_DO = "The message has neither a button nor {{.Code}}, so no one could act on it. Add one of them.";
const AT = "organizations[0].messageTexts[0]";

describe.each(ruleDatabases)("bootstrap file: texts without code or button (rule TEXT-7, on %s)", (kind) => {
  const service = async (...before: object[]) => {
    const ctx = await bareContext(kind);
    for (const file of before) await applyBootstrap(ctx, file);
    /** Returns `applied`, or the error, and then checks that nothing has changed. */
    return async (file: object): Promise<string> => {
      const rows = await countAllRows(ctx);
      try {
        await applyBootstrap(ctx, file);
        return "applied";
      } catch (error) {
        expect(await countAllRows(ctx)).toEqual(rows);
        return (error as Error).message;
      }
    };
  };

  it("are refused", async () => {
    const apply = await service(ofOrganization());
    expect(await apply(ofOrganization(text({ text: "Welcome", buttonText: " " })))).toBe(`${AT}: ${NOTHING_TO_DO}`);
    expect(await apply(ofInstance(text({ text: "Welcome", buttonText: " " })))).toBe(
      `instance.messageTexts[0]: ${NOTHING_TO_DO}`,
    );
    expect(await apply(ofOrganization({ type: "verifyphone", language: "en", text: "Hello" }))).toBe(
      `${AT}: The text must contain {{.Code}}.`,
    );
    expect(await apply(ofOrganization(text({ text: "Welcome" })))).toBe("applied");
  });

  it("are checked together with stored fields and with the instance's text of the same file", async () => {
    const withoutButton = ofOrganization(text({ buttonText: " " }));
    expect(await (await service(withoutButton))(ofOrganization(text({ text: "Welcome" })))).toBe(
      `${AT}: ${NOTHING_TO_DO}`,
    );
    const apply = await service(ofOrganization());
    const without = ofInstance(text({ text: "Welcome" }));
    expect(await apply({ ...without, ...withoutButton })).toBe(`${AT}: ${NOTHING_TO_DO}`);
    const greeted = ofInstance(text({ text: "Welcome", greeting: "{{.Code}}" }));
    expect(await apply({ ...greeted, ...withoutButton })).toBe("applied");
  });

  it("are not checked again if they are unchanged, so that the service starts", async () => {
    const withoutButton = ofOrganization(text({ buttonText: " " }));
    const apply = await service(withoutButton, ofInstance(text({ text: "Welcome" })));
    expect(await apply(withoutButton)).toBe("applied");
  });
});
