import { execFile } from "node:child_process";
import type http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import {
  create,
  createFileRegistry,
  createRegistry,
  type DescService,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../root";
import { createPlainServer, SERVER_LIMITS } from "../../service/http-server/one-port";
import { requestListener } from "../../service/http-server/request-listener";
import { apiToken } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { descriptorsOf } from "./descriptors";
import { grpcListener } from "./endpoints";
import { Health } from "./generated/grpc/health/v1/health_pb";
import {
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "./generated/grpc/reflection/v1/reflection_pb";
import { ServerReflection as ServerReflectionAlpha } from "./generated/grpc/reflection/v1alpha/reflection_pb";
import { reflectionAnswers } from "./reflection";
import { services } from "./services";

type Question = MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"];
const served: DescService[] = [...Object.values(services), Health, ServerReflection, ServerReflectionAlpha];
const names = served.map(({ typeName }) => typeName).sort();

describe("server reflection (rule GRPC-4)", () => {
  let service: TestService;
  let server: http.Server;
  let baseUrl: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const procedures = grpcListener(service.ctx, { draining: false });
    server = createPlainServer(SERVER_LIMITS, requestListener({ ...service, procedures }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });

  const buf = async (...parameters: string[]) => {
    const all = ["curl", "--protocol", "grpc", "--http2-prior-knowledge", ...parameters];
    return (await promisify(execFile)(path.join(root, "node_modules/.bin/buf"), all)).stdout;
  };

  it("lets a client without proto files list, describe and call every service", async () => {
    const listed = (await buf("--list-services", baseUrl)).trim().split("\n");
    expect(listed.sort()).toEqual(names);
    for (const version of ["grpc-v1", "grpc-v1alpha"]) {
      const methods = (await buf("--list-methods", "--reflect-protocol", version, baseUrl)).trim().split("\n");
      const wanted = served.flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}/${name}`));
      expect(methods.sort()).toEqual(wanted.sort());
    }
    const token = await apiToken(service);
    const procedure = `${baseUrl}/service.management.v1.ManagementService/GetCustomPasswordChangeMessageText`;
    const call = ["-H", `authorization: Bearer ${token}`, "-d", '{"language":"en"}', procedure];
    const { customText } = JSON.parse(await buf("--reflect-protocol", "grpc-v1", ...call));
    expect(customText).toMatchObject({ subject: "Your password was changed", isDefault: true });
  });

  it.each([ServerReflection.typeName, ServerReflectionAlpha.typeName])(
    "answers each request of a stream of %s in order, undeclared symbols by NOT_FOUND",
    async (version) => {
      const asked: Question[] = [
        { case: "listServices", value: "" },
        { case: "fileContainingSymbol", value: "service.management.v1.ManagementService" },
        { case: "fileContainingSymbol", value: "service.admin.v1.AdminService.GetCustomInitMessageText" },
        { case: "fileContainingSymbol", value: "grpc.health.v1.HealthCheckResponse.SERVING" },
        { case: "fileContainingSymbol", value: "service.nothing.v1.Nothing" },
        { case: "fileByFilename", value: "google/protobuf/timestamp.proto" },
        { case: "fileByFilename", value: "../../etc/passwd" },
        { case: "allExtensionNumbersOfType", value: "grpc.health.v1.HealthCheckRequest" },
        { case: "allExtensionNumbersOfType", value: "service.nothing.v1.Nothing" },
        { case: "fileContainingExtension", value: { containingType: "service.v1.ErrorDetail", extensionNumber: 1 } },
        undefined,
      ];
      const answers = await talk(version, asked);
      expect(answers.map(({ originalRequest }) => originalRequest?.messageRequest.case)).toEqual(
        asked.map((question) => question?.case),
      );
      expect(answers.map(({ messageResponse: { case: kind, value } }) => errorCodeOf(kind, value))).toEqual([
        "listServicesResponse",
        "fileDescriptorResponse",
        "fileDescriptorResponse",
        "fileDescriptorResponse",
        grpc.status.NOT_FOUND,
        "fileDescriptorResponse",
        grpc.status.NOT_FOUND,
        "allExtensionNumbersResponse",
        grpc.status.NOT_FOUND,
        grpc.status.NOT_FOUND,
        grpc.status.INVALID_ARGUMENT,
      ]);
      expect(answers.map(filesIn)).toMatchObject([
        [],
        [
          "service/management/v1/management.proto",
          "service/text/v1/text.proto",
          "service/v1/object.proto",
          "google/protobuf/timestamp.proto",
        ],
        ["service/admin/v1/admin.proto"], // the stream has had what it imports
        ["grpc/health/v1/health.proto"],
        [],
        ["google/protobuf/timestamp.proto"], // asked for by name
        [],
        [],
        [],
        [],
        [],
      ]);
    },
  );

  it("describes the served messages", async () => {
    const [{ messageResponse } = create(ServerReflectionResponseSchema)] = await talk(ServerReflection.typeName, [
      { case: "fileContainingSymbol", value: services.ManagementService.typeName },
    ]);
    const bytes = messageResponse.case === "fileDescriptorResponse" ? messageResponse.value.fileDescriptorProto : [];
    const file = bytes.map((one) => fromBinary(FileDescriptorProtoSchema, one)).reverse(); // what is imported first
    const known = createFileRegistry(create(FileDescriptorSetSchema, { file }));
    const described = known.getService(services.ManagementService.typeName);
    const own = createRegistry(services.ManagementService.file);
    const fieldsOf = (registry: typeof own, typeName: string) =>
      registry.getMessage(typeName)?.fields.map(({ name, number, jsonName }) => [name, number, jsonName]);
    expect(described?.methods.map(({ name }) => name)).toEqual(services.ManagementService.methods.map((m) => m.name));
    for (const { input, output } of services.ManagementService.methods) {
      for (const { typeName } of [input, output]) {
        expect(fieldsOf(known, typeName)).toEqual(fieldsOf(own, typeName));
      }
    }
  });

  it("limits the requests of a stream", async () => {
    const question: Question = { case: "listServices", value: "" };
    const many = refusal(talk(ServerReflection.typeName, Array(201).fill(question)));
    expect((await many).code).toBe(Code.ResourceExhausted);
    const long: Question = { case: "fileContainingSymbol", value: "a".repeat(5_000) };
    expect((await refusal(talk(ServerReflection.typeName, [long]))).code).toBe(Code.ResourceExhausted);
  });

  it("ends an idle stream", async () => {
    async function* onceThenSilence(): AsyncGenerator<ServerReflectionRequest> {
      yield create(ServerReflectionRequestSchema, { messageRequest: { case: "listServices", value: "" } });
      await new Promise(() => {});
    }
    const kinds = [];
    const limits = { idle: 5, requests: 10 };
    for await (const { messageResponse } of reflectionAnswers(descriptorsOf(served), onceThenSilence(), limits)) {
      kinds.push(messageResponse?.case);
    }
    expect(kinds).toEqual(["listServicesResponse"]);
  });

  it("refers protocols without bidirectional streams to gRPC, in their own format", async () => {
    for (const transport of [
      createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
      createGrpcWebTransport({ baseUrl, httpVersion: "2" }),
      createConnectTransport({ baseUrl, httpVersion: "2" }),
    ]) {
      const client = createClient(ServerReflection, transport);
      async function* one() {
        yield create(ServerReflectionRequestSchema);
      }
      const { code, rawMessage } = await refusal(client.serverReflectionInfo(one())[Symbol.asyncIterator]().next());
      expect([code, rawMessage]).toEqual([Code.Unimplemented, expect.stringContaining("gRPC over HTTP/2")]);
    }
  });

  /** The response that a third-party client gets. */
  function talk(version: string, questions: readonly Question[]) {
    const client = new grpc.Client(baseUrl.slice("http://".length), grpc.credentials.createInsecure());
    const stream = client.makeBidiStreamRequest(
      `/${version}/ServerReflectionInfo`,
      (messageRequest: Question) =>
        Buffer.from(toBinary(ServerReflectionRequestSchema, create(ServerReflectionRequestSchema, { messageRequest }))),
      (bytes) => fromBinary(ServerReflectionResponseSchema, bytes),
    );
    const answers: ReturnType<typeof create<typeof ServerReflectionResponseSchema>>[] = [];
    return new Promise<typeof answers>((resolve, reject) => {
      stream.on("data", (answer) => answers.push(answer));
      stream.on("end", () => resolve(answers));
      stream.on("error", ({ message, code }: grpc.ServiceError) => reject(new ConnectError(message, code as number)));
      for (const question of questions) stream.write(question);
      stream.end();
    }).finally(() => client.close());
  }
});

function errorCodeOf(kind: string | undefined, value: unknown): unknown {
  return kind === "errorResponse" ? (value as { errorCode: number }).errorCode : kind;
}

function filesIn({ messageResponse }: { messageResponse: { case: string | undefined; value?: unknown } }): string[] {
  if (messageResponse.case !== "fileDescriptorResponse") return [];
  const { fileDescriptorProto } = messageResponse.value as { fileDescriptorProto: Uint8Array[] };
  return fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);
}

async function refusal(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => {
      throw new Error("was not refused");
    },
    (error: unknown) => ConnectError.from(error),
  );
}
