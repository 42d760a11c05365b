/**
 * The descriptors of ZITADEL's services. They are read when the first procedure of a service is called, because all of
 * them take 0.3 s and 20 MB; files that several services import are shared.
 */
import { gunzipSync } from "node:zlib";
import { createFileRegistry, type DescFile, type DescService, fromBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { nextTurn } from "../../concurrency/pauses";
import { type Descriptors, descriptorsOf } from "../grpc/descriptors";
import { zitadelServices } from "../grpc/generated/zitadel-services";

export type ZitadelServiceName = keyof typeof zitadelServices;

export const zitadelServiceNames = Object.keys(zitadelServices) as ZitadelServiceName[];

/** The names of the methods of a service. */
export const zitadelMethods = (name: ZitadelServiceName): readonly string[] =>
  Object.keys(zitadelServices[name].methods);

let serialized: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/** The serialized descriptors of all files, by their names. */
export function serializedZitadelFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  serialized ??= import("../grpc/generated/zitadel-files").then(({ zitadelFiles }) => unpacked(zitadelFiles));
  return serialized;
}

let files: Promise<(name: string) => DescFile> | undefined;

export async function readZitadelService(name: ZitadelServiceName): Promise<DescService> {
  files ??= serializedZitadelFiles().then((bytes) =>
    fileReader((file) => fromBinary(FileDescriptorProtoSchema, bytes.get(file) ?? new Uint8Array())),
  );
  return serviceIn((await files)(zitadelServices[name].file), name);
}

/** The service of this name. */
export function serviceIn(file: DescFile, name: string): DescService {
  const service = file.services.find(({ typeName }) => typeName === name);
  if (!service) throw new Error(`the descriptors lack ${name}`);
  return service;
}

let described: Promise<Descriptors> | undefined;

/** Reads all services, for reflection. */
export function describedZitadel(): Promise<Descriptors> {
  described ??= inTurns(zitadelServiceNames, readZitadelService).then(descriptorsOf);
  return described;
}

/** Reads services one after the other, so that other requests are answered in between. */
export async function inTurns<Name>(names: Iterable<Name>, read: (name: Name) => DescService | Promise<DescService>) {
  const services: DescService[] = [];
  for (const name of names) {
    services.push(await read(name));
    await nextTurn();
  }
  return services;
}

/** @param packed a google.protobuf.FileDescriptorSet with gzip, in base64 */
function unpacked(packed: string): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const set = new BinaryReader(gunzipSync(Buffer.from(packed, "base64")));
  while (set.pos < set.len) {
    set.tag();
    const bytes = set.bytes();
    const file = new BinaryReader(bytes);
    file.tag(); // the name comes first
    found.set(file.string(), bytes);
  }
  return found;
}

/** Returns a function that reads a file and those it imports; a file is read once. */
export function fileReader(protoNamed: (name: string) => FileDescriptorProto): (name: string) => DescFile {
  const read = new Map<string, DescFile>();
  const fileNamed = (name: string): DescFile => {
    const known = read.get(name);
    if (known) return known;
    const file = createFileRegistry(protoNamed(name), fileNamed).getFile(name);
    if (!file) throw new Error(`there is no descriptor of ${name}`);
    read.set(name, file);
    return file;
  };
  return fileNamed;
}
