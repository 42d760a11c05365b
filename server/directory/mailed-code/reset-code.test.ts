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

// Regression: each request once held a connection while it waited for a second one, so all of them, and all other users
// of the database, blocked until they timed out.
it.each(databaseKinds)("mails more codes at once than the database has connections, on %s", async (kind) => {
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
    return mailResetCode({ ...ctx, origin: { actor: "system" } }, user, requestedByNobody(ctx));
  };
  invalidateDirectory(ctx); // as after any change: the caches are empty
  const challenges = await Promise.all(people.map(ask));
  expect(new Set(challenges).size).toBe(people.length);
  expect(await ctx.db.prisma.outboxMessage.count()).toBe(people.length);
});
