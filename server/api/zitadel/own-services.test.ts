import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setFeatures } from "../../directory/instance-settings";
import { root } from "../../root";
import type { ServiceOnAPort } from "../../testing/on-a-port";
import { machineTokens, zitadelService } from "../../testing/zitadel-clients";
import { services as textServices } from "../grpc/services";
import { describedOwnServices, ownServices } from "./own-services";

type Methods = Readonly<Record<string, (message: object, options?: object) => Promise<Record<string, unknown>>>>;

describe("our own services with all procedures", () => {
  let service: ServiceOnAPort;
  let headers: Record<string, string>;
  let set: Uint8Array;
  const folder = mkdtempSync(path.join(root, "dist/own-client-"));
  beforeAll(async () => {
    service = await zitadelService();
    headers = { authorization: `Bearer ${(await machineTokens(service, "root")).access_token}` };
    await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility: false });
    set = new Uint8Array(await (await fetch(`${service.origin}/proto/service.binpb`)).arrayBuffer());
    writeFileSync(path.join(folder, "service.binpb"), set);
    const plugin = {
      local: path.join(root, "node_modules/.bin/protoc-gen-es"),
      out: folder,
      opt: ["target=js", "import_extension=js"],
    };
    const template = JSON.stringify({ version: "v2", plugins: [plugin] });
    const buf = path.join(root, "node_modules/.bin/buf");
    execFileSync(buf, ["generate", path.join(folder, "service.binpb"), "--template", template]);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await service.close();
  });

  /** The client that a generator makes of the published descriptors. */
  async function client(file: string, name: string, transport: Transport): Promise<Methods> {
    const made = (await import(path.join(folder, `service/${file}_pb.js`))) as Record<string, DescService>;
    return createClient(made[name] as DescService, transport) as unknown as Methods;
  }

  it.each([
    ["gRPC", createGrpcTransport],
    ["gRPC-Web", createGrpcWebTransport],
    ["Connect", createConnectTransport],
  ])("are called over %s by clients that are generated from the published descriptors", async (name, transport) => {
    const over = transport({ baseUrl: service.origin, httpVersion: "2" });
    const organizations = await client("org/v2/org_service", "OrganizationService", over);
    const { organizationId } = (await organizations.addOrganization?.({ name }, { headers })) ?? {};
    const queries = [{ query: { case: "idQuery", value: { id: organizationId } } }];
    expect(await organizations.listOrganizations?.({ queries }, { headers })).toMatchObject({ result: [{ name }] });
    const admin = await client("admin/v1/admin", "AdminService", over);
    expect(await admin.getSupportedLanguages?.({}, { headers })).toMatchObject({
      languages: expect.arrayContaining(["de"]),
    });
    const text = { language: "en", title: "T", text: "{{.Unknown}}" };
    const refused = await admin.setDefaultInitMessageText?.(text, { headers }).catch(ConnectError.from);
    expect(refused).toMatchObject({ code: Code.InvalidArgument });
  });

  it("lack what is not here: 404 over HTTP, UNIMPLEMENTED, and no descriptor", async () => {
    const calls = ["service.admin.v1.AdminService/ListViews", "service.system.v1.SystemService/ListInstances"];
    for (const procedure of [...calls, "zitadel.admin.v1.AdminService/ListOrgs"]) {
      const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "{}" };
      const answer = await fetch(`${service.origin}/${procedure}`, init);
      expect([procedure, answer.status, await answer.json()]).toMatchObject([
        procedure,
        404,
        { code: "unimplemented" },
      ]);
    }
    const { fileDeclaring, services } = await describedOwnServices();
    expect(services).toEqual([...ownServices.keys()].sort());
    for (const call of calls) expect(fileDeclaring(call.replace("/", "."))).toBeUndefined();
    expect(fileDeclaring("service.admin.v1.AdminService.ListOrgs")?.proto.name).toBe("service/admin/v1/admin.proto");
  });

  it("keep the procedures of the proto files of the texts as they are", async () => {
    const { file } = fromBinary(FileDescriptorSetSchema, set);
    for (const { typeName, file: own } of Object.values(textServices)) {
      const merged = file.find(({ name }) => name === own.proto.name);
      expect(merged?.service.map(({ name }) => `${merged.package}.${name}`)).toEqual([typeName]);
      expect(merged?.messageType).toEqual(expect.arrayContaining(own.proto.messageType));
      for (const method of own.proto.service[0]?.method ?? [])
        expect(merged?.service[0]?.method).toContainEqual(method);
    }
  });
});
