import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { flushAttempts } from "../directory/sign-in-attempt/batch";
import { root } from "../root";
import { type ApiResult, apiToken, callApi, refusalOf } from "../testing/api";
import { everyCell } from "../testing/cells";
import { databaseKinds } from "../testing/database";
import { preparations, scenarioBootstrap, scenarios } from "../testing/scenarios/all";
import { normalized, type RecordedCall, shownSteps } from "../testing/scenarios/recorded";
import { given, type Memory, type Step } from "../testing/scenarios/step";
import { strictAnswer } from "../testing/strict-answer";
import { type TestService, testService } from "../testing/test-context";
import { operations } from "./all";
import type { Operation } from "./operation/operation";

const byId = new Map(operations.map((operation) => [operation.id, operation]));
const shown = shownSteps();
const DENIED = { status: 403, code: 7, id: "access.denied" };

function operationOf({ operation: id }: Step): Operation {
  const operation = byId.get(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return operation;
}

describe("the scenarios of the management operations", () => {
  it("call every operation", () => {
    const called = new Set(Object.values(scenarios).flatMap((steps) => steps.map(({ operation }) => operation)));
    expect(operations.map(({ id }) => id).filter((id) => !called.has(id))).toEqual([]);
  });

  it("find every operation under a unique name and address", () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`);
    expect(addresses).toEqual([...new Set(addresses)]);
    expect(operations.map(({ id }) => id)).toEqual([...byId.keys()]);
  });

  it("are compared with schemas that reject undeclared members", () => {
    const answer = strictAnswer(z.object({ list: z.array(z.object({ id: z.string() })).optional() }));
    expect(answer.safeParse({ list: [{ id: "1" }] }).success).toBe(true);
    expect(answer.safeParse({ list: [{ id: "1", secret: "s" }] }).success).toBe(false);
  });
});

const runs = Object.entries(scenarios).flatMap(([area, steps]) => databaseKinds.map((kind) => ({ area, kind, steps })));

describe.each(runs)("the scenario $area, on $kind", ({ area, kind, steps }) => {
  let service: TestService;
  const memory: Memory = {};
  const tokens: Record<string, string> = {};
  const recorded: Record<string, RecordedCall> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    const { prisma } = service.ctx.db;
    // Every domain has the proof that was asked for.
    service.ctx.resolver = {
      texts: async () => (await prisma.domain.findMany()).map(({ challengeToken }) => challengeToken ?? ""),
      addresses: async () => [],
    };
    await preparations[area]?.(service);
    tokens.owner = await apiToken(service);
    for (const name of ["colleague", "nobody"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
    await flushAttempts(service.ctx); // statistics count them, whether or not their moment has passed
  });
  afterAll(() => service.close());

  function addressOf(step: Step): string {
    const parameters: Record<string, string> = given(step.parameters ?? {}, memory);
    const { path: pattern } = operationOf(step);
    const address = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? "missing"));
    return address + (step.query ? `?${new URLSearchParams(step.query)}` : "");
  }

  function send(step: Step, token: string | undefined, organizationId = given(step.organizationId, memory)) {
    const { method } = operationOf(step);
    const headers: Record<string, string> = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
    return callApi(service, method, addressOf(step), { token, body: given(step.body, memory), headers });
  }

  const told = ({ status, body }: ApiResult) => ({ status, text: JSON.stringify(body) });

  /** The error is the same for every organization, so that it does not reveal which exist. */
  async function refuse(step: Step): Promise<void> {
    expect((await send(step, undefined)).status).toBe(401);
    const { level } = operationOf(step).scope;
    if (level === "caller") return;
    const refusal = await send(step, tokens.nobody);
    expect(refusalOf(refusal)).toEqual(DENIED);
    for (const organizationId of ["foreign", "unknown"]) {
      expect(told(await send(step, tokens.nobody, organizationId))).toEqual(told(refusal));
    }
  }

  const numbered = steps.map((step, index) => [`${index + 1} ${step.operation}`, step] as const);
  it("succeeds, step by step", () =>
    everyCell(numbered, async (step) => {
      if (kind === "sqlite") await refuse(step); // before any statement of the operation
      const sent = {
        address: addressOf(step),
        organizationId: given(step.organizationId, memory),
        body: given(step.body, memory),
      };
      const result = await send(step, tokens[step.as ?? "owner"]);
      const operation = shown.get(step);
      if (operation !== undefined) {
        const call = { ...sent, status: result.status, answer: result.body };
        // What the answer tells is named first, so that its ids are those of later steps.
        if (step.refused === undefined && result.status === 200) step.keep?.(result.body, memory);
        recorded[operation] = normalized(call, memory);
      }
      if (step.refused !== undefined) return expect(refusalOf(result).id).toBe(step.refused);
      const { status, body } = result;
      expect({ status, body }).toEqual({ status: 200, body: expect.anything() });
      expect(strictAnswer(operationOf(step).answer).safeParse(body).error?.issues).toBeUndefined();
      if (operation === undefined) step.keep?.(body, memory);
    }));

  // The order of members in JSON, which PostgreSQL chooses itself, decides the order of some lists.
  if (kind === "sqlite") {
    it("is what the pages of the API show of it; `npx vitest run server/api/contract.test.ts -u` records it again", () =>
      expect(`${JSON.stringify(recorded, null, 1)}\n`).toMatchFileSnapshot(
        path.join(root, `docs/api-examples/${area.replaceAll(" ", "-")}.json`),
      ));
  }
});
