/**
 * Server reflection (grpc.reflection.v1 and, for older clients, v1alpha): describes services and messages, so that
 * grpcurl, grpcui and similar tools need no proto files. It is public, like the proto files (rule GRPC-4), and does not
 * access the database.
 */
import type { DescFile, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { GRPC_CODES, type GrpcCode } from "../../protocol/api-error";
import { type Descriptors, descriptorsOf, fileBytes, withImports } from "./descriptors";
import { Health } from "./generated/grpc/health/v1/health_pb";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from "./generated/grpc/reflection/v1/reflection_pb";
import { ServerReflection as ServerReflectionAlpha } from "./generated/grpc/reflection/v1alpha/reflection_pb";
import { services } from "./services";
import type { ProcedureTable } from "./unary";

/** Both versions have the same messages but for their names. */
const VERSIONS = [ServerReflection, ServerReflectionAlpha as unknown as typeof ServerReflection];

/** The maximum size of a request in bytes. It contains only a name, which the response repeats. */
const MAX_REQUEST_BYTES = 4 * 1024;

export interface StreamLimits {
  /** Milliseconds without a request after which the stream ends. */
  idle: number;
  /** The maximum number of requests per stream. Further requests need another stream. */
  requests: number;
}

const LIMITS: StreamLimits = { idle: 10_000, requests: 200 };

type Response = MessageInitShape<typeof ServerReflectionResponseSchema>;
type Answer = NonNullable<Response["messageResponse"]>;

/** Services that are read when they are asked for, and described only while they are switched on. */
export interface MoreServices {
  isOn(): boolean | Promise<boolean>;
  /** Full names. */
  names: readonly string[];
  read(): Promise<Descriptors>;
}

/** The services of the texts. */
export const textServices: MoreServices = {
  isOn: () => true,
  names: Object.values(services).map(({ typeName }) => typeName),
  read: async () => descriptorsOf(Object.values(services)),
};

/** Needs a protocol that streams both ways at once. */
export function reflectionProcedures(router: ConnectRouter, more: readonly MoreServices[]): void {
  let descriptors: Descriptors | undefined;
  const serverReflectionInfo = (requests: AsyncIterable<ServerReflectionRequest>) => {
    descriptors ??= descriptorsOf([Health, ...VERSIONS]);
    return reflectionAnswers(descriptors, requests, LIMITS, more);
  };
  for (const version of VERSIONS) {
    router.service(version, { serverReflectionInfo }, { readMaxBytes: MAX_REQUEST_BYTES });
  }
}

/** For protocols that send the request as a whole: Connect and gRPC-Web. */
export const refusedReflection: ProcedureTable = new Map(
  VERSIONS.map(({ typeName }) => [
    `/${typeName}/ServerReflectionInfo`,
    new ConnectError("Server reflection streams both ways, which gRPC over HTTP/2 can.", Code.Unimplemented),
  ]),
);

/** Answers until the client is done, is silent for too long, or has asked too often: RESOURCE_EXHAUSTED. */
export async function* reflectionAnswers(
  descriptors: Descriptors,
  requests: AsyncIterable<ServerReflectionRequest>,
  { idle, requests: most }: StreamLimits,
  more: readonly MoreServices[] = [],
): AsyncGenerator<Response> {
  const areOn = await Promise.all(more.map((one) => one.isOn()));
  const others = more.filter((_, at) => areOn[at]);
  const names = others.flatMap((one) => one.names);
  const listed = { ...descriptors, services: [...descriptors.services, ...names].sort() };
  const sent = new Set<DescFile>();
  let count = 0;
  for await (const request of untilIdle(requests, idle)) {
    count += 1;
    if (count > most) throw new ConnectError(`A stream has at most ${most} requests.`, Code.ResourceExhausted);
    const { host, messageRequest } = request;
    let messageResponse = answerTo(listed, messageRequest, sent);
    for (const one of others) {
      if (!isUnknown(messageResponse)) break;
      messageResponse = answerTo(await one.read(), messageRequest, sent);
    }
    yield { validHost: host, originalRequest: { host, messageRequest }, messageResponse };
  }
}

const isUnknown = (answer: Answer) => answer.case === "errorResponse" && answer.value.errorCode === GRPC_CODES.notFound;

/** @param sent the files that this stream has had */
function answerTo(
  descriptors: Descriptors,
  { case: asked, value }: ServerReflectionRequest["messageRequest"],
  sent: Set<DescFile>,
): Answer {
  switch (asked) {
    case "listServices":
      return {
        case: "listServicesResponse",
        value: { service: descriptors.services.map((name) => ({ name })) },
      };
    case "fileByFilename":
      return filesFrom(descriptors.fileNamed(value), sent);
    case "fileContainingSymbol":
      return filesFrom(descriptors.fileDeclaring(value), sent);
    case "fileContainingExtension":
      return filesFrom(descriptors.extensionsOf(value.containingType)?.get(value.extensionNumber)?.file, sent);
    case "allExtensionNumbersOfType": {
      const extensions = descriptors.extensionsOf(value);
      if (!extensions) return refused(GRPC_CODES.notFound, "There is no such message.");
      return {
        case: "allExtensionNumbersResponse",
        value: { baseTypeName: value, extensionNumber: [...extensions.keys()] },
      };
    }
    case undefined:
      return refused(GRPC_CODES.invalidArgument, "The request asks nothing that is known here.");
  }
}

/** The file, which is always sent, and those it imports that the stream has not had. */
function filesFrom(file: DescFile | undefined, sent: Set<DescFile>): Answer {
  if (!file) return refused(GRPC_CODES.notFound, "No file here declares that.");
  const files = withImports(file).filter((one) => one === file || !sent.has(one));
  for (const one of files) sent.add(one);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: files.map(fileBytes) } };
}

function refused(errorCode: GrpcCode, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}

/** @param idle milliseconds for each value */
async function* untilIdle<Value>(values: AsyncIterable<Value>, idle: number): AsyncGenerator<Value> {
  const iterator = values[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, idle, undefined);
    });
    const next = iterator.next();
    next.catch(() => {}); // the client may be gone
    const result = await Promise.race([next, silence]).finally(() => clearTimeout(timer));
    if (result === undefined || result.done) return;
    yield result.value;
  }
}
