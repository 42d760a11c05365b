import { beforeEach, describe, expect, it } from "vitest";
import { composeMessage } from "../../mail/compose";
import type { MessageType } from "../../message-types/table";
import { authenticate } from "../../sessions/session";
import { appliedContext, type BareContext } from "../../testing/bare-context";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { changeDirectory } from "../change";
import { emailContact } from "../mailed-code/contact-code";
import { setPolicy } from "../policy/policies";
import { rememberConsent } from "./consent";
import { changeContact, changeOwnPhone } from "./contact/prove";
import { addPasskey, removePasskey } from "./passkey";
import { useRecoveryCode as spendRecoveryCode } from "./recovery-codes";
import { addAuthenticatorApp, enableSentCodes, removeFactor, sentFactorId } from "./second-factor";
import { setUserState } from "./set-state";

const origin = { actor: "u-ada" };
const ada = { id: "u-ada", organizationId: "acme" };
const ref = { userId: "u-ada", organizationId: "acme" };
const byBrowser = (token: string | undefined) => ({
  token,
  address: "192.0.2.7",
  name: "Mozilla/5.0 (X11; Linux) Firefox/149",
});
const PASSKEY = {
  id: "p",
  name: "Phone",
  publicKey: "AQ",
  counter: 0,
  transports: "",
  aaguid: "",
  isMultiDevice: true,
  isBackedUp: true,
  isUserVerified: true,
};

describe.each(ruleDatabases)("notices about an account's security, on %s", (kind) => {
  let ctx: BareContext;
  beforeEach(async () => {
    ctx = await appliedContext(kind, exampleBootstrap);
  });
  /**
   * Returns the messages queued since the last call: types, recipients and their description of the change, in German.
   */
  async function told(): Promise<string[]> {
    const rows = await ctx.db.prisma.outboxMessage.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
    await ctx.db.prisma.outboxMessage.deleteMany();
    return Promise.all(
      rows.map(async ({ type, recipient, payload, organizationId, userId }) => {
        const wanted = {
          payload: payload as object,
          organizationId,
          userId: userId ?? undefined,
          language: "de",
        } as const;
        const composed = await composeMessage(ctx, { type: type as MessageType, ...wanted });
        return `${type} ${recipient} ${typeof composed === "string" ? composed : composed.args.change}`;
      }),
    );
  }
  const switchTo = (setting: object) =>
    changeDirectory(ctx, (ctx) => setPolicy({ ...ctx, origin }, "acme", "notification", setting));

  it("are sent for added and removed factors and passkeys, in the reader's language", async () => {
    const app = { id: "totp", secret: "JBSWY3DPEHPK3PXP", timeStep: 1, name: "Phone" };
    const added = await addAuthenticatorApp({ ...ctx, origin }, ada, app);
    await enableSentCodes({ ...ctx, origin }, ada, "email");
    await addPasskey({ ...ctx, origin }, ada, PASSKEY);
    await removePasskey({ ...ctx, origin }, ada, "p");
    await removeFactor({ ...ctx, origin }, ada, sentFactorId("email", "u-ada"));
    expect(await told()).toEqual([
      "factor_added ada@acme.test Authenticator-App",
      "factor_added ada@acme.test Code per E-Mail",
      "factor_added ada@acme.test Passkey",
      "factor_removed ada@acme.test Passkey",
      "factor_removed ada@acme.test Code per E-Mail",
    ]);
    const codes = added.kind === "added" ? (added.recoveryCodes ?? []) : [];
    for (const code of codes.slice(1)) await spendRecoveryCode({ ...ctx, origin }, ada, code);
    expect(await told()).toEqual([]);
    await spendRecoveryCode({ ...ctx, origin }, ada, codes[0] ?? "");
    expect(await told()).toEqual(["recovery_codes_used ada@acme.test –"]);
  });

  it("are sent to the old and the new address, but not to an unverified address", async () => {
    await changeContact({ ...ctx, origin }, ref, emailContact, { value: "new@acme.test", isVerified: true });
    expect(await told()).toEqual([
      "email_changed ada@acme.test n•••@acme.test",
      "email_changed new@acme.test n•••@acme.test",
    ]);
    await changeContact({ ...ctx, origin }, ref, emailContact, { value: "thief@mail.test" });
    expect(await told()).toEqual([
      "email_changed new@acme.test t•••@mail.test",
      expect.stringMatching(/^verifyemail thief@mail.test/),
    ]);
    await changeOwnPhone({ ...ctx, origin }, ref, "+441234567891");
    expect(await told()).toEqual([expect.stringMatching(/^verifyphone \+441234567891/)]);
  });

  it("are sent for a changed number, a lock, and consent to an app of another organization", async () => {
    const bob = { userId: "u-bob", organizationId: "acme" };
    await changeContact({ ...ctx, origin }, bob, emailContact, { value: "bob@acme.test", isVerified: true });
    await changeOwnPhone({ ...ctx, origin }, ref, "+441234567890");
    await told();
    await changeOwnPhone({ ...ctx, origin }, ref, "+441234567891");
    const agreement = { user: ref, clientId: "spa", scope: ["openid"] };
    await rememberConsent(ctx, agreement, { name: "Shop", isForeign: false }, {});
    await rememberConsent(ctx, { ...agreement, clientId: "web" }, { name: "Other shop", isForeign: true }, {});
    await setUserState({ ...ctx, origin }, bob, "lock");
    expect(await told()).toEqual([
      "phone_changed ada@acme.test ••• 891",
      expect.stringMatching(/^verifyphone \+441234567891/),
      "app_consent ada@acme.test Other shop",
      "account_locked bob@acme.test –",
    ]);
  });

  it("are sent for a new device if the policy enables it, but not for the first sign-in", async () => {
    const signIn = (token?: string) => authenticate(ctx, byBrowser(token), ada, ["pwd"], {});
    await signIn();
    await signIn();
    expect(await told()).toEqual([]);
    await switchTo({ newDevice: true });
    const { userAgentToken } = await signIn();
    const [row] = await ctx.db.prisma.outboxMessage.findMany();
    expect(row?.payload).toMatchObject({ device: "Firefox · Linux", address: "192.0.2.7" });
    expect(await told()).toHaveLength(1);
    await signIn(userAgentToken);
    expect(await told()).toEqual([]);
  });

  it("are not sent if the policy disables them", async () => {
    await switchTo({ factorAdded: false, emailChanged: false });
    await addPasskey({ ...ctx, origin }, ada, PASSKEY);
    await changeContact({ ...ctx, origin }, ref, emailContact, { value: "new@acme.test", isVerified: true });
    expect(await told()).toEqual([]);
  });
});
