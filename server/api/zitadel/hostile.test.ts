import { create, type DescMethodUnary, toBinary, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { createManagementServiceClient } from "@zitadel/client/v1";
import { AdminService } from "@zitadel/proto/zitadel/admin_pb.js";
import { GetMyOrgRequestSchema, ManagementService } from "@zitadel/proto/zitadel/management_pb.js";
import { SAMLService } from "@zitadel/proto/zitadel/saml/v2/saml_service_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setFeatures } from "../../directory/instance-settings";
import type { ServiceOnAPort } from "../../testing/on-a-port";
import { machineTokens, zitadelService } from "../../testing/zitadel-clients";
import {
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
} from "../grpc/generated/grpc/reflection/v1/reflection_pb";
import { ErrorDetailSchema } from "../grpc/generated/service/v1/error_pb";
import { bridgedProcedures } from "./bridge";
import { zitadelServiceNames } from "./descriptors";

const TRANSPORTS: Record<string, (baseUrl: string) => Transport> = {
  gRPC: (baseUrl) => createGrpcTransport({ baseUrl }),
  "gRPC-Web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
  Connect: (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "Connect in JSON": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
};
const MANAGEMENT = "/zitadel.management.v1.ManagementService";

describe("ZITADEL's procedures", () => {
  let service: ServiceOnAPort;
  const tokens = { root: "", owner: "", mallory: "" };
  const headersOf = (name: keyof typeof tokens, organizationId?: string) => ({
    authorization: `Bearer ${tokens[name]}`,
    ...(organizationId !== undefined && { "x-zitadel-orgid": organizationId }),
  });
  beforeAll(async () => {
    service = await zitadelService();
    for (const name of ["root", "owner", "mallory"] as const) {
      tokens[name] = (await machineTokens(service, name)).access_token;
    }
  });
  afterAll(() => service.close());

  const post = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    fetch(service.origin + path, {
      method: "POST",
      headers: { ...headersOf("owner"), "content-type": type, ...headers },
      body,
    });

  describe.each(Object.entries(TRANSPORTS))("by %s", (_, transport) => {
    it("answer UNIMPLEMENTED with the name of the table where they do not exist here", async () => {
      for (const call of [
        () =>
          createClient(ManagementService, transport(service.origin)).listActions({}, { headers: headersOf("owner") }),
        () => createClient(SAMLService, transport(service.origin)).getSAMLRequest({}, { headers: headersOf("owner") }),
      ]) {
        const error = await refusalOf(call());
        expect([error.code, error.rawMessage]).toEqual([
          Code.Unimplemented,
          expect.stringContaining("docs/zitadel.md"),
        ]);
      }
    });

    it("refuse with the status and the details of REST", async () => {
      const client = createManagementServiceClient(transport(service.origin));
      const none = await refusalOf(client.getMyOrg({}));
      expect([none.code, none.findDetails(ErrorDetailSchema)[0]?.id]).toEqual([
        Code.Unauthenticated,
        "access.token_missing",
      ]);
      const missing = await refusalOf(client.getProjectByID({ id: "nowhere" }, { headers: headersOf("owner") }));
      expect(missing.code).toBe(Code.NotFound);
      const empty = await refusalOf(client.addProject({ name: "" }, { headers: headersOf("owner") }));
      expect(empty.findDetails(ErrorDetailSchema)[0]).toMatchObject({ field: "name" });
      expect(empty.code).toBe(Code.InvalidArgument);
    });

    it("do not exist while the switch is off", async () => {
      await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility: false });
      const client = createManagementServiceClient(transport(service.origin));
      const error = await refusalOf(client.getMyOrg({}, { headers: headersOf("owner") }));
      expect([error.code, error.rawMessage]).toEqual([Code.Unimplemented, expect.not.stringContaining("zitadel")]);
      await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility: true });
    });
  });

  it("are described by reflection while the switch is on", async () => {
    const client = createClient(ServerReflection, createGrpcTransport({ baseUrl: service.origin }));
    const ask = async (...asked: ServerReflectionRequest["messageRequest"][]) => {
      const requests = async function* () {
        for (const messageRequest of asked) yield create(ServerReflectionRequestSchema, { messageRequest });
      };
      const answers = [];
      for await (const { messageResponse } of client.serverReflectionInfo(requests())) answers.push(messageResponse);
      return answers;
    };
    const symbols = ["zitadel.user.v2.UserService.ListUsers", "zitadel.org.v1.Org", "service.admin.v1.AdminService"];
    const questions = symbols.map((value) => ({ case: "fileContainingSymbol", value }) as const);
    const [listed, ...described] = await ask({ case: "listServices", value: "" }, ...questions);
    const names = (listed?.case === "listServicesResponse" ? listed.value.service : []).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...zitadelServiceNames, "service.admin.v1.AdminService"]));
    expect(described.map((one) => one.case)).toEqual(Array(3).fill("fileDescriptorResponse"));
    await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility: false });
    const [off, ...gone] = await ask({ case: "listServices", value: "" }, ...questions);
    expect(JSON.stringify(off)).not.toContain("zitadel");
    expect(gone.map((one) => one.case)).toEqual(["errorResponse", "errorResponse", "fileDescriptorResponse"]);
    await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility: true });
  });

  it("name the fields that are sent and not known", async () => {
    const client = createManagementServiceClient(createGrpcTransport({ baseUrl: service.origin }));
    let ignored: string | null = null;
    const onHeader = (headers: Headers) => {
      ignored = headers.get("x-service-ignored");
    };
    const { id } = await client.addProject({ name: "P", projectRoleCheck: true }, { headers: headersOf("owner") });
    const app = { projectId: id, name: "A", skipNativeAppSuccessPage: true };
    await client.addOIDCApp(app, { headers: headersOf("owner"), onHeader });
    expect(ignored).toBe("skipNativeAppSuccessPage");
    await client.updateProject({ id, name: "Q" }, { headers: headersOf("owner"), onHeader });
    expect(ignored).toBeNull(); // absent fields are zero, and were not sent
  });

  it("refuse what is no message with the protocol's own status, and change nothing", async () => {
    const path = `${MANAGEMENT}/AddProject`;
    const frame = (length: number, bytes: number[]) => Uint8Array.of(0, 0, 0, length >> 8, length & 255, ...bytes);
    const cases: [string, string, string | Uint8Array<ArrayBuffer>, number][] = [
      ["truncated JSON", "application/json", '{"name":', 400],
      ["truncated binary", "application/proto", Uint8Array.of(10, 200), 400],
      ["a foreign type", "text/plain", "{}", 415],
      ["a large body", "application/json", JSON.stringify({ name: "x".repeat(300_000) }), 413],
      ["a truncated frame", "application/grpc-web+proto", frame(900, [10, 1, 65]), 200],
    ];
    const { db } = service.ctx;
    const before = await db.prisma.project.count();
    for (const [what, type, body, status] of cases) {
      expect([what, (await post(path, type, body)).status]).toEqual([what, status]);
    }
    const late = await post(path, "application/json", '{"name":"late"}', { "connect-timeout-ms": "0" });
    expect(late.status).toBe(504);
    expect(await db.prisma.project.count()).toBe(before);
  });

  it("ignore unknown fields of messages", async () => {
    const bytes = toBinary(GetMyOrgRequestSchema, create(GetMyOrgRequestSchema));
    const answer = await post(`${MANAGEMENT}/GetMyOrg`, "application/proto", Uint8Array.of(...bytes, 250, 63, 1, 65));
    expect(answer.status).toBe(200);
    expect((await post(`${MANAGEMENT}/GetMyOrg`, "application/json", '{"zz":1}')).status).toBe(200);
    expect((await post(`${MANAGEMENT}/Nothing`, "application/json", "{}")).status).toBe(501);
  });

  // At every place of them, by Connect: service/tenants/procedures.test.ts.
  it("tell the owner of another organization nothing by gRPC, every one of them", async () => {
    const before = await service.ctx.db.prisma.event.count({ where: { resourceOwner: "acme" } });
    const transport = createGrpcTransport({ baseUrl: service.origin });
    const answered: string[] = [];
    let called = 0;
    for (const name of zitadelServiceNames) {
      for (const { method, bridge } of await bridgedProcedures(name)) {
        if (!bridge || bridge.operation.scope.level === "caller") continue;
        const ids = method.input.fields.filter((field) => field.fieldKind === "scalar" && field.scalar === 9);
        const message = Object.fromEntries(ids.map(({ localName, jsonName }) => [localName, foreignId(jsonName)]));
        const headers = headersOf("mallory", "acme");
        const code = await transport.unary(method as DescMethodUnary, undefined, undefined, headers, message).then(
          // Lists of what the caller manages, without a name of an object, have nothing of others.
          ({ message: answer }) => (/acme|m-owner/.test(JSON.stringify(toJson(method.output, answer))) ? 0 : NOTHING),
          (error: unknown) => ConnectError.from(error).code,
        );
        called += 1;
        if (![Code.PermissionDenied, Code.NotFound, NOTHING].includes(code)) answered.push(`${method.name}: ${code}`);
      }
    }
    expect(called).toBeGreaterThan(600);
    expect(answered).toEqual([]);
    expect(await service.ctx.db.prisma.event.count({ where: { resourceOwner: "acme" } })).toBe(before);
  });

  it("are performed for owners by the same permissions as REST", async () => {
    const admin = createClient(AdminService, createGrpcTransport({ baseUrl: service.origin }));
    const error = await refusalOf(admin.listOrgs({}, { headers: headersOf("owner") }));
    expect(error.code).toBe(Code.PermissionDenied);
    const { result } = await admin.listOrgs({}, { headers: headersOf("root") });
    expect(result.map(({ id }) => id).sort()).toEqual(["acme", "evil"]);
  });
});

const NOTHING = -1;
const foreignId = (name: string) => (/user/i.test(name) || name === "id" ? "m-owner" : "acme");

async function refusalOf(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    (answer) =>
      Promise.reject(
        new Error(`answered ${JSON.stringify(answer, (_, v) => (typeof v === "bigint" ? String(v) : v))}`),
      ),
    (error: unknown) => ConnectError.from(error),
  );
}
