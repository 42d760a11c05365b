import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, giveProject, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const INVITE = "/management/v1/users/_invite";
const PENDING = { queries: [{ invitationQuery: { isPending: true } }] };

describe.each(databaseKinds)("inviting several users, on %s", (kind) => {
  let service: TestService;
  let olga: ApiCaller; // ORG_USER_MANAGER of acme
  let evil: ApiCaller; // ORG_OWNER of evil
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    [olga, evil] = [await callerOf(service, "acme-people"), await callerOf(service, "evil-mallory")];
  });
  afterAll(() => service.close());

  type Row = { email: string; userId?: string; error?: { id: string } };
  const rows = (body: { results: Row[] }) => body.results.map(({ email, error }) => [email, error?.id]);
  const userCount = () => service.ctx.db.prisma.user.count();
  const pending = async (who: ApiCaller): Promise<{ id: string; userName: string }[]> =>
    (await who("POST", "/management/v1/users/_search", PENDING)).body.result;

  it("describes the mistake of each address before any message is sent", async () => {
    const before = [await userCount(), (await mailsTo(service)).length];
    const emails = [" Ann@new.test ", "ann@NEW.test", "nobody", "bob@acme.test", "zoe@new.test"];
    const answer = await olga("POST", INVITE, { emails });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ dryRun: false, invited: 0, refused: 3 });
    expect(rows(answer.body)).toEqual([
      ["Ann@new.test", undefined],
      ["ann@NEW.test", "invitation.repeated"],
      ["nobody", "request.invalid"],
      ["bob@acme.test", "invitation.already_here"],
      ["zoe@new.test", undefined],
    ]);
    expect(answer.body.results[3].userId).toBe("u-bob");
    expect([await userCount(), (await mailsTo(service)).length]).toEqual(before);
    const trial = await olga("POST", INVITE, { emails, dryRun: true, mode: "EACH_BY_ITSELF" });
    expect(trial.body).toMatchObject({ dryRun: true, invited: 2, refused: 3 });
    expect(await userCount()).toBe(before[0]);
    expect(
      (await olga("POST", INVITE, { emails: Array.from({ length: 101 }, (_, n) => `p${n}@new.test`) })).status,
    ).toBe(400);
    for (const odd of [{ emails: [] }, { emails: ["a\u0000@b.test"] }, { emails: ["a@b.test"], roleKeys: ["x"] }]) {
      expect((await olga("POST", INVITE, odd)).status).toBe(400);
    }
  });

  it("invites a user once who is invited twice at the same time", async () => {
    const before = await userCount();
    const emails = ["gil@twice.test", "hal@twice.test"];
    const answers = await Promise.all([0, 1].map(() => olga("POST", INVITE, { emails })));
    const invited = answers.filter(({ body }) => body.invited === 2);
    expect(invited).toHaveLength(1);
    const ids = invited[0]?.body.results.map(({ userId }: Row) => userId);
    for (const { body } of answers.filter((answer) => answer !== invited[0])) {
      expect(rows(body)).toEqual(emails.map((email) => [email, "invitation.already_here"]));
      expect(body.results.map(({ userId }: Row) => userId)).toEqual(ids);
    }
    const overlapping = [
      ["gil@twice.test", "ike@twice.test"],
      ["ike@twice.test", "jan@twice.test"],
    ].map((emails) => olga("POST", INVITE, { emails, mode: "EACH_BY_ITSELF" }));
    expect((await Promise.all(overlapping)).reduce((sum, { body }) => sum + body.invited, 0)).toBe(2);
    expect(await userCount()).toBe(before + 4);
    for (const email of [...emails, "ike@twice.test"]) expect(await mailsTo(service, email)).toHaveLength(1);
    const all = (await pending(olga)).filter(({ userName }) => userName.endsWith("@twice.test")).map(({ id }) => id);
    expect(all).toHaveLength(4);
    expect((await olga("DELETE", "/management/v1/users/_bulk", { userIds: all })).body.changed).toBe(4);
  });

  it("sends the invitation, with the address as user name and the roles", async () => {
    const roles = { projectId: "p1", roleKeys: ["acme-admin"] };
    expect(refusalOf(await olga("POST", INVITE, { emails: ["x@new.test"], ...roles, projectId: "pe" })).id).toBe(
      "project.not_found",
    );
    const unknown = { emails: ["x@new.test"], projectId: "p1", roleKeys: ["none"] };
    expect(refusalOf(await olga("POST", INVITE, unknown)).id).toBe("user_grant.unknown_role");
    const answer = await olga("POST", INVITE, { emails: ["ann@new.test", "zoe@new.test"], ...roles });
    expect(answer.body).toMatchObject({ invited: 2, refused: 0 });
    expect((await mailsTo(service, "ann@new.test")).map(({ type }) => type)).toEqual(["invite_user"]);
    const [{ userId = "" }] = answer.body.results as [Row];
    const { user } = (await olga("GET", `/management/v1/users/${userId}`)).body;
    expect(user).toMatchObject({ userName: "ann@new.test", preferredLoginName: "ann@new.test" });
    expect(Date.parse(user.human.invitation.expirationDate)).toBeGreaterThan(service.ctx.clock());
    expect(user.human).not.toHaveProperty("lastSignInDate");
    const search = { queries: [{ userIdQuery: { userId } }] };
    const grants = (await olga("POST", "/management/v1/users/grants/_search", search)).body.result;
    expect(grants).toMatchObject([{ projectId: "p1", roleKeys: ["acme-admin"] }]);
    expect((await pending(olga)).map(({ userName }) => userName).sort()).toEqual(["ann@new.test", "zoe@new.test"]);
  });

  it("does not reveal users of other organizations: they are invited under another user name", async () => {
    const emails = ["ada@acme.test", "stranger@acme.test", "ann@new.test", "unknown@new.test"];
    for (const dryRun of [true, false]) {
      const answer = await evil("POST", INVITE, { emails, dryRun });
      expect(rows(answer.body)).toEqual(emails.map((email) => [email, undefined]));
    }
    const names = (await pending(evil)).map(({ userName }) => userName).sort();
    expect(names).toEqual(["ada", "ann", "stranger", "unknown@new.test"]);
    expect((await mailsTo(service, "ada@acme.test")).map(({ type }) => type)).toEqual(["invite_user"]);
  });

  it("can be withdrawn and sent again until it was accepted", async () => {
    const [ann, zoe] = (await pending(olga)).sort((a, b) => a.userName.localeCompare(b.userName));
    const at = (id = "") => `/v2/users/${id}/invite_code`;
    expect((await olga("DELETE", at(ann?.id))).status).toBe(200);
    expect((await pending(olga)).map(({ id }) => id)).toEqual([zoe?.id]);
    expect(refusalOf(await olga("DELETE", at(ann?.id))).id).toBe("user.not_pending");
    expect(refusalOf(await olga("POST", `${at(ann?.id)}/resend`, {})).id).toBe("user.not_invited");
    const both = { userIds: [ann?.id, zoe?.id, "u-bob", "u-mallory"] };
    const answer = await olga("POST", "/management/v1/users/_bulk_send_invitation", both);
    expect(answer.body).toMatchObject({ changed: 2, refused: 2 });
    expect(answer.body.results.map(({ error }: Row) => error?.id)).toEqual([
      undefined,
      undefined,
      "user.already_initialized",
      "user.not_found",
    ]);
    expect(await mailsTo(service, "ann@new.test")).toHaveLength(2);
    const { code } = (await lastMailTo(service, "zoe@new.test")) as { code: string };
    expect((await olga("POST", `${at(zoe?.id)}/verify`, { verificationCode: code })).status).toBe(200);
    expect((await pending(olga)).map(({ id }) => id)).toEqual([ann?.id]);
    const revoked = await olga("POST", "/management/v1/users/_bulk_revoke_invitation", { userIds: [ann?.id, zoe?.id] });
    expect(revoked.body).toMatchObject({ changed: 1, refused: 1 });
  });

  it("requires the permissions to add users and to grant the roles", async () => {
    const settings = await callerOf(service, "acme-settings");
    expect((await settings("POST", INVITE, { emails: ["q@new.test"] })).status).toBe(403);
    await giveProject(service);
    const pete = await callerOf(service, "evil-pete");
    expect((await pete("POST", INVITE, { emails: ["q@new.test"], projectId: "pe" })).status).toBe(403);
  });

  it("is limited per organization, across senders and operations", async () => {
    const invitations = { emails: Array.from({ length: 100 }, (_, n) => `many${n}@new.test`), mode: "EACH_BY_ITSELF" };
    await service.ctx.db.prisma.throttle.updateMany({ data: { failures: 1_995 } });
    const before = await userCount();
    expect(refusalOf(await evil("POST", INVITE, invitations))).toMatchObject({
      status: 429,
      id: "invitation.too_many",
    });
    const profile = { firstName: "N", lastName: "N" };
    const one = { userName: "later", profile, email: { email: "later@new.test" } };
    expect(refusalOf(await evil("POST", "/management/v1/users/human", one)).id).toBe("invitation.too_many");
    expect(await userCount()).toBe(before);
    expect((await olga("POST", INVITE, { emails: ["other@new.test"] })).body.invited).toBe(1);
    service.advance(3_600_000);
    const again = await evil("POST", INVITE, { emails: ["after@new.test"] });
    expect(again.body).toMatchObject({ invited: 1 });
  });
});
