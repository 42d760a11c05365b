import type http from "node:http";
import type { AddressInfo } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as web from "@connectrpc/connect-web";
import * as grpc from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlainServer } from "../../service/http-server/one-port";
import { requestListener } from "../../service/http-server/request-listener";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { grpcListener } from "./endpoints";
import { Health, HealthCheckResponse_ServingStatus } from "./generated/grpc/health/v1/health_pb";
import { AdminService } from "./generated/service/admin/v1/admin_pb";
import {
  GetCustomPasswordChangeMessageTextRequestSchema,
  GetCustomPasswordChangeMessageTextResponseSchema,
  ManagementService,
} from "./generated/service/management/v1/management_pb";
import { ErrorDetailSchema } from "./generated/service/v1/error_pb";

const LIMITS = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };

/** Third-party clients, by their wire format. */
const TRANSPORTS: Record<string, (baseUrl: string) => Transport> = {
  "gRPC over HTTP/2": (baseUrl) => createGrpcTransport({ baseUrl }),
  "gRPC-Web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
  "gRPC-Web over HTTP/2": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "2" }),
  Connect: (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "Connect over HTTP/2": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2" }),
  "gRPC-Web of a browser": (baseUrl) => web.createGrpcWebTransport({ baseUrl }),
  "Connect of a browser": (baseUrl) => web.createConnectTransport({ baseUrl }),
  "Connect of a browser, binary": (baseUrl) => web.createConnectTransport({ baseUrl, useBinaryFormat: true }),
};

describe("remote procedures of the message texts, by real clients on one port (rule GRPC-2)", () => {
  let service: TestService;
  let server: http.Server;
  let baseUrl: string;
  let token: string;
  const readiness = { draining: false };
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    server = createPlainServer(
      LIMITS,
      requestListener({ ...service, procedures: grpcListener(service.ctx, readiness) }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    token = await apiToken(service);
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });

  describe.each(Object.keys(TRANSPORTS))("%s", (name) => {
    const client = () => createClient(ManagementService, (TRANSPORTS[name] as (url: string) => Transport)(baseUrl));
    const headers = () => ({ authorization: `Bearer ${token}` });

    it("sets, reads and resets as REST does", async () => {
      const set = await client().setCustomInviteUserMessageCustomText(
        { language: "DE", subject: `Hallo ${name} 🙂`, preHeader: "x", buttonText: "Los" },
        { headers: headers() },
      );
      expect(set.details).toMatchObject({ resourceOwner: "acme" });
      const { customText } = await client().getCustomInviteUserMessageText({ language: "de" }, { headers: headers() });
      expect(customText).toMatchObject({
        subject: `Hallo ${name} 🙂`,
        preHeader: "x",
        buttonText: "Los",
        text: "",
        isDefault: false,
      });
      expect(customText?.details?.sequence).toBe(set.details?.sequence);
      const rest = await callApi(service, "GET", "/management/v1/text/message/invite_user/de", { token });
      expect(rest.body.customText).toMatchObject({ subject: `Hallo ${name} 🙂`, preHeader: "x", buttonText: "Los" });
      expect(rest.body.customText.details.sequence).toBe(String(set.details?.sequence));
      const reset = await client().resetCustomInviteUserMessageTextToDefault(
        { language: "de" },
        { headers: headers() },
      );
      expect(Number(reset.details?.sequence)).toBe(Number(set.details?.sequence) + 1);
      expect(
        (await refusal(client().resetCustomInviteUserMessageTextToDefault({ language: "de" }, { headers: headers() })))
          .code,
      ).toBe(Code.NotFound);
    });

    it("describes a text that was never set as REST does", async () => {
      const { body } = await callApi(service, "PUT", "/management/v1/text/message/domainclaimed/sv", {
        token,
        body: {},
      });
      const set = await client().setCustomDomainClaimedMessageCustomText({ language: "sv" }, { headers: headers() });
      const at = timestampFromMs(Date.parse(body.details.creationDate));
      expect(set.details).toMatchObject({ sequence: 0n, creationDate: at, changeDate: at, resourceOwner: "acme" });
    });

    it("refuses in the caller's language, as REST does", async () => {
      for (const language of ["de", "ja", "ar"]) {
        const given = { ...headers(), "accept-language": language };
        const change = { language: "en", text: "🙂 {{.UserNam}}" };
        const refused = await refusal(client().setCustomPasswordChangeMessageCustomText(change, { headers: given }));
        const path = "/management/v1/text/message/password_change/en";
        const asked = { token, headers: { "accept-language": language }, body: { text: change.text } };
        const { body } = await callApi(service, "PUT", path, asked);
        expect(refused.rawMessage).toBe(body.message);
        expect(refused.rawMessage).not.toMatch(/[Vv]ariable \{\{/);
        expect(refused.findDetails(ErrorDetailSchema)[0]?.message).toBe(body.details[0].message);
      }
    });

    it("refuses with the code and the detail of the JSON answer", async () => {
      const none = await refusal(client().getCustomInitMessageText({ language: "en" }));
      expect(none.code).toBe(Code.Unauthenticated);
      expect(none.findDetails(ErrorDetailSchema)).toMatchObject([{ id: "access.token_missing" }]);
      expect(none.metadata.get("www-authenticate")).toBe('Bearer realm="api"');
      const foreign = await refusal(
        client().getCustomInitMessageText(
          { language: "en" },
          { headers: { ...headers(), "x-service-orgid": "nowhere" } },
        ),
      );
      expect(foreign.code).toBe(Code.PermissionDenied);
      const wrong = await refusal(
        client().setCustomPasswordChangeMessageCustomText(
          { language: "en", text: "🙂 {{.UserNam}}" },
          { headers: headers() },
        ),
      );
      expect(wrong.code).toBe(Code.InvalidArgument);
      expect(wrong.findDetails(ErrorDetailSchema)).toMatchObject([
        { id: "message_text.unknown_variable", field: "text", position: 2, suggestion: "{{.UserName}}" },
      ]);
      const stale = await refusal(
        client().setCustomPasswordChangeMessageCustomText(
          { language: "en", text: "Hello" },
          { headers: { ...headers(), "if-match": "7" } },
        ),
      );
      expect(stale.code).toBe(Code.Aborted);
    });

    it("rejects a message larger than any text, with its own error", async () => {
      for (const length of [300_000, 3_000_000]) {
        const call = client().setCustomInitMessageText({ language: "en", text: "a".repeat(length) });
        expect((await refusal(call)).code).toBe(Code.ResourceExhausted);
      }
    });

    it("serves the instance's service too, including warnings", async () => {
      const admin = createClient(AdminService, (TRANSPORTS[name] as (url: string) => Transport)(baseUrl));
      const subject = `{{.DisplayName}}, ${"a".repeat(80)}`;
      const set = await admin.setDefaultPasswordChangeMessageText({ language: "fr", subject }, { headers: headers() });
      expect(set.warnings).toMatchObject([{ id: "message_text.long_subject", field: "subject", limit: 70 }]);
      await admin.resetCustomPasswordChangeMessageTextToDefault({ language: "fr" }, { headers: headers() });
    });
  });

  it("works with another vendor's gRPC client", async () => {
    const client = new grpc.Client(baseUrl.slice("http://".length), grpc.credentials.createInsecure());
    const call = (metadata: grpc.Metadata) =>
      new Promise<{ subject?: string; error?: grpc.ServiceError }>((resolve) => {
        client.makeUnaryRequest(
          "/service.management.v1.ManagementService/GetCustomPasswordChangeMessageText",
          (request: { language: string }) =>
            Buffer.from(
              toBinary(
                GetCustomPasswordChangeMessageTextRequestSchema,
                create(GetCustomPasswordChangeMessageTextRequestSchema, request),
              ),
            ),
          (bytes) => fromBinary(GetCustomPasswordChangeMessageTextResponseSchema, bytes),
          { language: "en" },
          metadata,
          (error, answer) => resolve(error ? { error } : { subject: answer?.customText?.subject }),
        );
      });
    const metadata = new grpc.Metadata();
    expect((await call(metadata)).error?.code).toBe(grpc.status.UNAUTHENTICATED);
    metadata.set("authorization", `Bearer ${token}`);
    expect(await call(metadata)).toEqual({ subject: "Your password was changed" });
    metadata.set("x-service-orgid", "nowhere");
    expect((await call(metadata)).error?.code).toBe(grpc.status.PERMISSION_DENIED);
    client.close();
  });

  it("reports its health to all kinds of clients (grpc.health.v1)", async () => {
    for (const transport of Object.values(TRANSPORTS)) {
      const client = createClient(Health, transport(baseUrl));
      const check = async (name?: string) => (await client.check({ service: name })).status;
      expect(await check()).toBe(HealthCheckResponse_ServingStatus.SERVING);
      expect(await check("service.admin.v1.AdminService")).toBe(HealthCheckResponse_ServingStatus.SERVING);
      expect((await refusal(check("service.nothing.v1.NothingService"))).code).toBe(Code.NotFound);
    }
    const client = createClient(Health, createGrpcTransport({ baseUrl }));
    expect((await refusal(client.watch({})[Symbol.asyncIterator]().next())).code).toBe(Code.Unimplemented);
    readiness.draining = true;
    expect((await client.check({})).status).toBe(HealthCheckResponse_ServingStatus.NOT_SERVING);
    readiness.draining = false;
  });

  it("rejects unknown procedures: unimplemented", async () => {
    const client = new grpc.Client(baseUrl.slice("http://".length), grpc.credentials.createInsecure());
    const code = await new Promise((resolve) => {
      const path = "/service.management.v1.ManagementService/Nothing";
      const bytes = (value: Buffer) => value;
      client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), (error) => resolve(error?.code));
    });
    expect(code).toBe(grpc.status.UNIMPLEMENTED);
    client.close();
  });
});

async function refusal(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => {
      throw new Error("was not refused");
    },
    (error: unknown) => ConnectError.from(error),
  );
}
