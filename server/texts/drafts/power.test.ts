import { describe, expect, it } from "vitest";
import { GRPC_CODES } from "../../protocol/api-error";
import { appliedContext } from "../../testing/bare-context";
import { exampleBootstrap } from "../../testing/example";
import { setLoginText } from "../editing/set-login-text";
import { setMessageText } from "../editing/set-message-text";

const REFUSED = { code: GRPC_CODES.permissionDenied };

describe("The rights over a text (TEXT-14)", () => {
  it("are unlimited for the operator and the service, not for a user with such a name", async () => {
    const ctx = await appliedContext("sqlite", exampleBootstrap);
    const write = async (actor: string, subject: string) => [
      await setMessageText(
        { ...ctx, origin: { actor } },
        { organizationId: "acme", type: "init", language: "de", fields: { subject } },
      ),
      await setLoginText(
        { ...ctx, origin: { actor } },
        { organizationId: undefined, language: "de", words: { signIn: { title: subject } } },
      ),
    ];
    const saved = { details: { sequence: expect.any(String) } };
    for (const actor of ["operator", "system"]) expect(await write(actor, `By ${actor}`)).toMatchObject([saved, saved]);
    expect(await write("nobody", "By nobody")).toMatchObject([REFUSED, REFUSED]);
    await ctx.db.prisma.user.updateMany({ where: { userName: "bob" }, data: { id: "system" } });
    expect(await write("system", "By a user")).toMatchObject([REFUSED, REFUSED]);
  });
});
