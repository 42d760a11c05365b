import { expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { testService } from "../../testing/test-context";
import { invalidateDirectory } from "../cache";
import { mailResetCode, requestedByNobody } from "./reset-code";

const people = Array.from({ length: 20 }, (_, n) => ({
  id: `u-${n}`,
  userName: `n${n}@many.test`,
  email: { email: `n${n}@many.test`, isEmailVerified: true },
}));
const bootstrap = { organizations: [{ id: "many", name: "Many", users: people }] };

// Each once took a connection and then waited for a second one, which the others had: all of them, and whoever else
// asked the database, stood still until they timed out.
it.each(databaseKinds)("more codes at once than the database has connections are all mailed, on %s", async (kind) => {
  const { ctx } = await testService(kind, bootstrap);
  const ask = ({ id, email: { email } }: (typeof people)[number]) => {
    const named = { firstName: null, lastName: null, displayName: null, preferredLanguage: null };
    const phone = { phone: null, isPhoneVerified: false };
    const user = {
      ...named,
      ...phone,
      id,
      organizationId: "many",
      email,
      isEmailVerified: true,
      mayAuthenticate: true,
    };
    return mailResetCode(ctx, user, requestedByNobody(ctx), { actor: "system" });
  };
  invalidateDirectory(ctx); // as after any change: nothing is known without asking
  const challenges = await Promise.all(people.map(ask));
  expect(new Set(challenges).size).toBe(people.length);
  expect(await ctx.db.prisma.outboxMessage.count()).toBe(people.length);
});
