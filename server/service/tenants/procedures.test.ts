import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bridgedProcedures } from "../../api/zitadel/bridge";
import { zitadelServiceNames } from "../../api/zitadel/descriptors";
import { setFeatures } from "../../directory/instance-settings";
import { type ApiResult, callApi } from "../../testing/api";
import { type Belongings, differences, furnish, NOBODY, rowsOfOthers } from "../../testing/belongings";
import { expectNone } from "../../testing/cells";
import { answerApart, isChosen, type MadeCall, mayBeNamed, placesToTry } from "../../testing/hostile-calls";
import { hostileProcedure } from "../../testing/hostile-messages";
import { bearerOf, botOf, CONFIDENTIAL, giveProject, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

describe("procedures of ZITADEL called by the owner of another organization", () => {
  let service: TestService;
  let acme: Belongings;
  let evil: Belongings;
  let token: string;
  let called = 0;

  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    await giveProject(service);
    [acme, evil] = [await furnish(service, "acme"), await furnish(service, "evil")];
    token = await bearerOf(service, botOf("mallory"));
    await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility: true });
  });
  afterAll(() => service.close());

  const send = ({ path, body, headers }: MadeCall): Promise<ApiResult> =>
    callApi(service, "POST", path, { token, body, headers });

  it.each(zitadelServiceNames)("tell nothing and change nothing at any place of %s", async (name) => {
    const before = await rowsOfOthers(service);
    const wrong: string[] = [];
    for (const { method, bridge } of await bridgedProcedures(name)) {
      if (!bridge) continue;
      const { places, callWith } = hostileProcedure(`/${name}/${method.name}`, method, bridge);
      for (const some of placesToTry(places)) {
        await service.ctx.db.run(`DELETE FROM "Throttle"`, []); // no call is refused for those before it
        const [foreign, unknown] = [callWith(some, evil, acme), callWith(some, evil, NOBODY)];
        const one = await send(foreign);
        called += 1;
        const say = (what: string) => wrong.push(`${method.name}, ${some.map(({ at }) => at).join(" and ")}: ${what}`);
        if (one.status === 401 || one.status === 500) say(`answers ${one.status}`);
        if (CONFIDENTIAL.test(answerApart(one, foreign))) say(`tells ${answerApart(one, foreign)}`);
        if (mayBeNamed(bridge.operation, some)) continue;
        if (isChosen(bridge.operation, some)) {
          if (one.status < 400) say("gives ACME's away");
          continue;
        }
        const other = await send(unknown);
        if (answerApart(one, foreign) === answerApart(other, unknown)) continue;
        say(`tells apart ${answerApart(one, foreign)} and ${answerApart(other, unknown)}`);
      }
    }
    expectNone([...wrong, ...differences(before, await rowsOfOthers(service))]);
  });

  it("were called at all places", () => expect(called).toBeGreaterThan(1500));
});
