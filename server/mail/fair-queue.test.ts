import { describe, expect, it, onTestFinished } from "vitest";
import { AT_ONCE, SLOW } from "../concurrency/fair-queue";
import type { Context } from "../context";
import { record } from "../events/record";
import { appliedContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { tenants } from "../testing/tenants-example";
import type { MailRoutes } from "./routes";
import type { Delivery, OutgoingMail } from "./transport";
import { startMailWorker } from "./worker";

const CHANGE = { type: "user.locked" } as const;
const origin = { actor: "system" };
const SENT: Delivery = { outcome: "sent", answer: "250" };

/** Queues messages to one user at several addresses: those to the same address would be sent in order. */
async function queue(ctx: Context, [organizationId, userId]: readonly [string, string], count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, n) => ({
    type: "password_change" as const,
    ...{ organizationId, userId, recipient: `${organizationId}-${n}@rp.test` },
  }));
  await record(
    { ...ctx, origin },
    { ...CHANGE, object: { id: userId, organizationId: "acme" }, state: async () => ({ messages }) },
  );
}

const ACME = ["acme", "u-ada"] as const;
const EVIL = ["evil", "u-uma"] as const;

/** A service on which one organization has its own mail server, which is as slow as a test requires. */
async function service(kind: "sqlite" | "postgresql", sendOfEvil: (mail: OutgoingMail) => Promise<Delivery>) {
  const ctx = await appliedContext(kind, tenants);
  const [sent, waiting]: [string[], (() => void)[]] = [[], []];
  const look = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  const routes: MailRoutes = {
    options: {},
    close: () => {},
    of: async ({ organizationId }) => {
      const isOrganizations = organizationId === "evil";
      const send = async (mail: OutgoingMail) => {
        const delivery = isOrganizations ? await sendOfEvil(mail) : SENT;
        sent.push(mail.recipient);
        look();
        return delivery;
      };
      return { transport: { send, close: () => {} }, sender: "s@id.example.com", takesParts: false, isOrganizations };
    },
  };
  const start = () => {
    const worker = startMailWorker(ctx, { lookInterval: 20, routes });
    onTestFinished(() => worker.stop());
  };
  /** Resolves when that many mails of the organization were sent. */
  const left = async (organizationId: string, count: number) => {
    const those = () => sent.filter((recipient) => recipient.startsWith(organizationId)).length;
    while (those() < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { ctx, start, left };
}

describe.each(databaseKinds)("the messages that are sent next, on %s", (kind) => {
  it("include those of other organizations while one organization's server is slow", async () => {
    let [underWay, most, end] = [0, 0, () => {}];
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { ctx, start, left } = await service(kind, async () => {
      most = Math.max(most, ++underWay);
      await ended;
      return SENT;
    });
    await queue(ctx, EVIL, AT_ONCE + 8);
    await queue(ctx, ACME, 8);
    start();
    onTestFinished(end);
    await left("acme", 8);
    expect(most).toBeLessThanOrEqual(AT_ONCE);
  });

  it("are sent one at a time by a server that was slow", async () => {
    let [underWay, most, others] = [0, 0, 0];
    const ways = {
      slow: async () => ctx.advance(SLOW),
      // Newly queued messages are sent by another loop, which could take an older message of the organization instead.
      besideOthers: async () => {
        others++;
        const wanted = others;
        await queue(ctx, ACME, 1);
        await left("acme", wanted);
      },
    };
    let way: keyof typeof ways = "slow";
    const { ctx, start, left } = await service(kind, async () => {
      underWay++;
      most = Math.max(most, underWay);
      await ways[way]();
      underWay--;
      return SENT;
    });
    await queue(ctx, EVIL, AT_ONCE);
    start();
    await left("evil", AT_ONCE);
    [most, way] = [0, "besideOthers"];
    await queue(ctx, EVIL, 6);
    await left("evil", AT_ONCE + 6);
    expect(most).toBe(1);
  });
});
