import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import type { Http } from "../http/env";
import { type Address, type Application, applicationAt } from "./routing";

/** The part of a context that routes need. */
const contextAt = (baseUrl: string) =>
  ({ log: pino({ level: "silent" }), config: { baseUrl, trustedProxies: [] }, clock: () => 0 }) as unknown as Context;

const saying = (answer: (ctx: Context, http: Http) => string, rest: Partial<Address> = {}): Address => ({
  methods: { GET: (ctx, http) => new Response(answer(ctx, http)), POST: async (_, http) => http.text("posted") },
  maxBodyBytes: 10,
  ...rest,
});

const get = async (application: Application, path: string) =>
  (await application.fetch(new Request(`http://localhost${path}`))).text();

describe("applications of one process", () => {
  const whose = (ctx: Context) => ctx.config.baseUrl;
  const one = applicationAt(contextAt("https://one.test"), new Map([["/whose", saying(whose)]]));

  it("with the same addresses share a router, and each answers with its own handlers and context", async () => {
    const upper = (ctx: Context) => whose(ctx).toUpperCase();
    const other = applicationAt(contextAt("https://other.test"), new Map([["/whose", saying(upper)]]));
    expect(other.router).toBe(one.router);
    const answers = await Promise.all([get(one, "/whose"), get(other, "/whose"), get(one, "/whose")]);
    expect(answers).toEqual(["https://one.test", "HTTPS://OTHER.TEST", "https://one.test"]);
  });

  it.each<[string, Map<string, Address>]>([
    ["another address", new Map([["/elsewhere", saying(whose)]])],
    ["another method", new Map([["/whose", { methods: { GET: () => new Response() }, maxBodyBytes: 10 }]])],
    ["another limit of bodies", new Map([["/whose", saying(whose, { maxBodyBytes: 11 })]])],
    ["callers from other origins", new Map([["/whose", saying(whose, { isProcedure: true })]])],
  ])("share none where one has %s", (_, addresses) => {
    expect(applicationAt(contextAt("https://one.test"), addresses).router).not.toBe(one.router);
  });

  it("each call their own guard", async () => {
    const guarded = (text: string) => saying(whose, { guard: () => new Response(text) });
    const first = applicationAt(contextAt("https://one.test"), new Map([["/whose", guarded("first")]]));
    const second = applicationAt(contextAt("https://one.test"), new Map([["/whose", guarded("second")]]));
    expect([await get(first, "/whose"), await get(second, "/whose")]).toEqual(["first", "second"]);
  });

  it("reject larger bodies and other methods at a known address, and unknown addresses", async () => {
    const statusOf = async (path: string, init: RequestInit) =>
      (await one.fetch(new Request(`http://localhost${path}`, init))).status;
    const post = (length: number) => ({ method: "POST", body: "x".repeat(length) });
    expect(await statusOf("/whose", post(10))).toBe(200);
    expect(await statusOf("/whose", post(11))).toBe(413);
    expect(await statusOf("/whose", { method: "DELETE" })).toBe(405);
    expect(await statusOf("/nowhere", {})).toBe(404);
  });
});
