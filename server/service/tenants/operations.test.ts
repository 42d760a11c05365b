import { afterAll, beforeAll, describe, it } from "vitest";
import { operations } from "../../api/all";
import { callApi } from "../../testing/api";
import { type Belongings, differences, furnish, NOBODY, type Rows, rowsOfOthers } from "../../testing/belongings";
import { expectNone } from "../../testing/cells";
import { ruleDatabases } from "../../testing/database";
import {
  answerApart,
  callAt,
  isChosen,
  isReading,
  type MadeCall,
  mayBeNamed,
  placesOf,
  placesToTry,
} from "../../testing/hostile-calls";
import { bearerOf, botOf, CONFIDENTIAL, giveProject, managers, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("operations called by managers of another organization, on %s", (kind) => {
  let service: TestService;
  let acme: Belongings;
  let evil: Belongings;
  let before: Rows;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    await giveProject(service);
    [acme, evil] = [await furnish(service, "acme"), await furnish(service, "evil")];
    // What a role may do does not depend on the database; that ids of others are refused may.
    const callers = kind === "sqlite" ? managers : (["mallory"] as const);
    for (const manager of callers) tokens.set(manager, await bearerOf(service, botOf(manager)));
    before = await rowsOfOthers(service);
  });
  afterAll(() => service.close());

  const send = ({ method, path, body, headers }: MadeCall, token: string | undefined) =>
    callApi(service, method, path, { token, body, headers });

  it("are performed on own objects, so that later refusals are due to the owner", async () => {
    const wrong: string[] = [];
    for (const operation of operations.filter(isReading)) {
      if (operation.scope.level === "instance") continue;
      // Own grants of projects are managed by the organizations that have them.
      if (operation.scope.level === "owner" && operation.scope.isInProject) continue;
      const { status, body } = await send(callAt(operation, [], evil, acme), tokens.get("mallory"));
      if (status === 401 || status === 403) wrong.push(`${operation.id}: ${status} ${JSON.stringify(body)}`);
    }
    expectNone(wrong);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))("%s", async (_, operation) => {
    const wrong: string[] = [];
    let isAnyDone = false;
    for (const places of placesToTry(placesOf(operation))) {
      await service.ctx.db.run(`DELETE FROM "Throttle"`, []); // no call is refused for those before it
      const foreign = callAt(operation, places, evil, acme);
      const unknown = callAt(operation, places, evil, NOBODY);
      const { body } = operation;
      if (body && unknown.body !== undefined && !body.safeParse(unknown.body).success) {
        wrong.push(`${JSON.stringify(unknown.body)} is not what the operation takes`);
      }
      for (const [manager, token] of tokens) {
        const one = await send(foreign, token);
        isAnyDone ||= one.status < 400;
        const say = (what: string) => wrong.push(`${manager}, ${places.map(({ at }) => at).join(" and ")}: ${what}`);
        if (one.status === 401 || one.status >= 500) say(`answers ${one.status}`);
        if (CONFIDENTIAL.test(answerApart(one, foreign))) say(`tells ${answerApart(one, foreign)}`);
        if (mayBeNamed(operation, places)) continue;
        if (isChosen(operation, places)) {
          if (one.status < 400) say(`gives ${acme.organizationId}'s away`);
          continue;
        }
        const other = await send(unknown, token);
        if (answerApart(one, foreign) === answerApart(other, unknown)) continue;
        say(`tells apart ${answerApart(one, foreign)} and ${answerApart(other, unknown)}`);
      }
    }
    // Reading everything takes longer than all calls together: after those that were all refused, the last test does.
    if (isAnyDone) wrong.push(...(await changesOfOthers()));
    expectNone(wrong);
  });

  it("change nothing of others when they are refused", async () => expectNone(await changesOfOthers()));

  const changesOfOthers = async () => {
    const after = await rowsOfOthers(service);
    const changes = differences(before, after);
    before = after;
    return changes;
  };
});
