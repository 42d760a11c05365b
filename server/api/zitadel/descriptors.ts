/**
 * The descriptors of ZITADEL's services. They are read when the first procedure of a service is called, because all of
 * them take 0.3 s and 20 MB; files that several services import are shared.
 */
import { gunzipSync } from "node:zlib";
import {
  createFileRegistry,
  type DescExtension,
  type DescFile,
  type DescService,
  fromBinary,
} from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { nextTurn } from "../../concurrency/pauses";
import { type Descriptors, descriptorsOf } from "../grpc/descriptors";
import { zitadelServices } from "../grpc/generated/zitadel-services";

export type ZitadelServiceName = keyof typeof zitadelServices;

export const zitadelServiceNames = Object.keys(zitadelServices) as ZitadelServiceName[];

interface ServiceDescriptors {
  service: DescService;
  /** The option that has the REST address of a method. */
  http: DescExtension;
}

let files: Promise<(name: string) => DescFile> | undefined;

export async function readZitadelService(name: ZitadelServiceName): Promise<ServiceDescriptors> {
  files ??= import("../grpc/generated/zitadel-files").then(({ zitadelFiles }) => filesIn(zitadelFiles));
  const fileNamed = await files;
  const service = fileNamed(zitadelServices[name]).services.find(({ typeName }) => typeName === name);
  const [http] = fileNamed("google/api/annotations.proto").extensions;
  if (!service || !http) throw new Error(`the descriptors lack ${name}`);
  return { service, http };
}

let described: Promise<Descriptors> | undefined;

/** Reads all services, for reflection. */
export function describedZitadel(): Promise<Descriptors> {
  described ??= readAll().then(descriptorsOf);
  return described;
}

async function readAll(): Promise<DescService[]> {
  const services: DescService[] = [];
  for (const name of zitadelServiceNames) {
    services.push((await readZitadelService(name)).service);
    await nextTurn();
  }
  return services;
}

/** @param packed a google.protobuf.FileDescriptorSet with gzip, in base64 */
function filesIn(packed: string): (name: string) => DescFile {
  const serialized = new Map<string, Uint8Array>();
  const set = new BinaryReader(gunzipSync(Buffer.from(packed, "base64")));
  while (set.pos < set.len) {
    set.tag();
    const bytes = set.bytes();
    const file = new BinaryReader(bytes);
    file.tag(); // the name comes first
    serialized.set(file.string(), bytes);
  }
  const read = new Map<string, DescFile>();
  const fileNamed = (name: string): DescFile => {
    const known = read.get(name);
    if (known) return known;
    const bytes = serialized.get(name);
    if (!bytes) throw new Error(`there is no descriptor of ${name}`);
    const file = createFileRegistry(fromBinary(FileDescriptorProtoSchema, bytes), fileNamed).getFile(name);
    if (!file) throw new Error(`the descriptor of ${name} cannot be read`);
    read.set(name, file);
    return file;
  };
  return fileNamed;
}
