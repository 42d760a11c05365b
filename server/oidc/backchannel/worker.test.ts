import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { AT_ONCE } from "../../concurrency/fair-queue";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { REDIRECT_URI } from "../../testing/flow";
import { testService } from "../../testing/test-context";
import { startLogoutWorker } from "./worker";

const told = (organization: string, port: number) => ({
  name: "Told",
  oidc: {
    ...{ clientId: `told-${organization}`, clientSecret: SECRET, redirectUris: [REDIRECT_URI] },
    ...{ devMode: true, backChannelLogoutUri: `http://127.0.0.1:${port}/${organization}` },
  },
});

describe.each(databaseKinds)("logout notifications on %s", (kind) => {
  it("reach the apps of other organizations while those of one are slow", async () => {
    const held: http.ServerResponse[] = [];
    let [most, acmes, all] = [0, 0, () => {}];
    const reached = new Promise<void>((resolve) => {
      all = resolve;
    });
    const apps = http.createServer(({ url }, response) => {
      if (url === "/evil") {
        most = Math.max(most, held.push(response));
        return;
      }
      response.end();
      if (++acmes === 20) all();
    });
    await new Promise<void>((resolve) => apps.listen(0, "127.0.0.1", resolve));
    const { port } = apps.address() as AddressInfo;
    const [acme] = exampleBootstrap.organizations;
    const projects = [...(acme?.projects ?? []), { id: "pt", name: "Told", apps: [told("acme", port)] }];
    const evil = { id: "evil", name: "Evil", projects: [{ id: "pe", name: "Evil", apps: [told("evil", port)] }] };
    const { ctx, close } = await testService(kind, { organizations: [{ ...acme, projects }, evil] });
    onTestFinished(close);
    const due = (organization: string, count: number, age: number) => {
      const at = new Date(ctx.clock() - age);
      const clientId = `told-${organization}`;
      return Array.from({ length: count }, (_, n) => ({
        ...{ id: `${organization}-${n}`, clientId, sessionId: `${organization}-${n}`, userId: "u-ada", attempts: 1 },
        ...{ createdAt: at, nextAttemptAt: at },
      }));
    };
    const data = [...due("evil", 40, 2_000), ...due("acme", 20, 1_000)];
    await ctx.db.prisma.logoutNotification.createMany({ data });
    const worker = startLogoutWorker(ctx, { timeout: 600_000 });
    onTestFinished(async () => {
      const stopped = worker.stop();
      for (const response of held) response.end();
      apps.closeAllConnections();
      await stopped;
      apps.close();
    });
    await reached;
    expect(most).toBeLessThanOrEqual(AT_ONCE);
  });
});
