import { beforeEach, describe, expect, it } from "vitest";
import { isApiError } from "../../protocol/api-error";
import { appliedContext, type BareContext, countRows } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { emailChannel, ofInstance, ofOrganization, type ProviderOwner, smsChannel } from "./channel";
import { addProvider } from "./edit";
import { smtpForm } from "./smtp";
import { addedWebhook } from "./webhook";

const users = [{ id: "owner", userName: "owner", roles: ["IAM_OWNER"] }];
const organizations = [
  { id: "o", name: "O", users },
  { id: "other", name: "Other" },
];
const origin = { actor: "owner" };
const endpoint = "https://hook.example/send";

describe.each(databaseKinds)("an owner's providers (%s)", (kind) => {
  let ctx: BareContext;
  const add = {
    mailServer(owner: ProviderOwner) {
      const given = { senderAddress: "a@b.example", host: "mail.b.example:587", tls: true };
      return addProvider({ ...ctx, origin }, { channel: emailChannel, owner }, smtpForm, given);
    },
    mailWebhook: (owner: ProviderOwner) =>
      addProvider({ ...ctx, origin }, { channel: emailChannel, owner }, addedWebhook, { endpoint }),
    texts: (owner: ProviderOwner) =>
      addProvider({ ...ctx, origin }, { channel: smsChannel, owner }, addedWebhook, { endpoint }),
  };

  /** Adds providers one after the other, then ten at the same time; returns the errors of those that were rejected. */
  async function refusedBeyond(inTurn: number, addOne: (number: number) => Promise<unknown>): Promise<string[]> {
    for (let number = 0; number < inTurn; number++) expect(isApiError(await addOne(number))).toBe(false);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, number) => addOne(number)));
    return outcomes.filter(isApiError).map(({ id }) => id);
  }

  beforeEach(async () => {
    ctx = await appliedContext(kind, { organizations });
  });

  it("are limited to 50 for mails, of all kinds together, also when several are added at the same time", async () => {
    const owner = ofOrganization("o");
    const either = (number: number) => (number % 2 ? add.mailServer(owner) : add.mailWebhook(owner));
    expect(await refusedBeyond(48, either)).toEqual(Array(8).fill("mail_settings.too_many"));
    expect(isApiError(await add.mailServer(ofOrganization("other")))).toBe(false);
  });

  it("are limited to 50 for text messages, also for the service's own", async () => {
    const owner = await ofInstance(ctx);
    expect(await refusedBeyond(48, () => add.texts(owner))).toEqual(Array(8).fill("sms_provider.too_many"));
    expect(await countRows(ctx, "SmsProvider")).toBe(50);
  });
});
