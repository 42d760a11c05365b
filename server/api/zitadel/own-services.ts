/**
 * Our own services, `service.<package>.<version>.<Service>`: the procedures of ZITADEL's services that are here, under
 * our own name. Their descriptors are made from those of ZITADEL and of the proto files of the texts, which have more
 * fields than ZITADEL's and stay as they are.
 */
import { clone, create, type DescFile, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type Descriptors, descriptorsOf, withImports } from "../grpc/descriptors";
import { services as textServices } from "../grpc/services";
import { isAnswered } from "./bridge";
import {
  fileReader,
  inTurns,
  serializedZitadelFiles,
  serviceIn,
  type ZitadelServiceName,
  zitadelMethods,
  zitadelServiceNames,
} from "./descriptors";

const ownName = (name: string) => name.replace(/^zitadel/, "service");

/** The services of ZITADEL that have something here, by the names of ours. */
export const ownServices: ReadonlyMap<string, ZitadelServiceName> = new Map(
  zitadelServiceNames
    .filter((name) => zitadelMethods(name).some((method) => isAnswered(name, method)))
    .map((name) => [ownName(name), name]),
);

let described: Promise<Descriptors> | undefined;

/** Reads all of them, for reflection. */
export function describedOwnServices(): Promise<Descriptors> {
  described ??= readAll();
  return described;
}

async function readAll(): Promise<Descriptors> {
  const protos = withTexts([...(await serializedZitadelFiles()).values()].map(renamedFile));
  const fileNamed = fileReader((name) => protos.get(name) ?? create(FileDescriptorProtoSchema));
  const homes = [...protos.values()].flatMap(({ name, package: scope, service }) =>
    service.map((one) => [`${scope}.${one.name}`, name] as const),
  );
  return descriptorsOf(await inTurns(homes, ([service, name]) => serviceIn(fileNamed(name), service)));
}

/** A file under our name, without the procedures that are not here. Both names have the same length. */
function renamedFile(bytes: Uint8Array): FileDescriptorProto {
  const text = Buffer.from(bytes).toString("latin1");
  const renamed = Buffer.from(text.replace(/zitadel(?=[./])/g, "service"), "latin1");
  const file = fromBinary(FileDescriptorProtoSchema, renamed);
  for (const service of file.service) {
    const name = ownServices.get(`${file.package}.${service.name}`);
    service.method = service.method.filter((method) => name !== undefined && isAnswered(name, method.name));
  }
  file.service = file.service.filter(({ method }) => method.length > 0);
  return file;
}

/** Merges the files of the texts with the others of their packages, by name. */
function withTexts(files: readonly FileDescriptorProto[]): ReadonlyMap<string, FileDescriptorProto> {
  const imported = new Set(Object.values(textServices).flatMap(({ file }) => withImports(file)));
  const texts = [...imported].map(({ proto }) => clone(FileDescriptorProtoSchema, proto));
  const all = new Map(texts.map((file) => [file.name, file]));
  const moved = new Map<string, string>();
  for (const file of files.filter(({ name }) => !all.has(name))) {
    const beside = texts.filter((one) => one.package === file.package && /^service\./.test(one.package));
    const home = beside.find(({ service }) => service.length > 0);
    const declared = new Set(beside.flatMap(({ messageType, enumType }) => [...messageType, ...enumType]).map(nameOf));
    file.messageType = file.messageType.filter((one) => !declared.has(one.name));
    file.enumType = file.enumType.filter((one) => !declared.has(one.name));
    if (home) {
      moveInto(home, file);
      moved.set(file.name, home.name);
    } else {
      // Files that import this one need what the texts declare.
      file.publicDependency = beside.map((_, at) => file.dependency.length + at);
      file.dependency.push(...beside.map(nameOf));
      all.set(file.name, file);
    }
  }
  for (const file of all.values()) file.dependency = file.dependency.map((name) => moved.get(name) ?? name);
  return all;
}

const nameOf = ({ name }: { name: string }) => name;

/** Adds what a file declares, and its procedures, to the file of the texts that has the same service. */
function moveInto(
  home: FileDescriptorProto,
  { messageType, enumType, dependency, service }: FileDescriptorProto,
): void {
  home.messageType.push(...messageType);
  home.enumType.push(...enumType);
  home.dependency = [...new Set([...home.dependency, ...dependency])];
  const methods = home.service.flatMap(({ method }) => method);
  const known = new Set(methods.map(nameOf));
  const more = service.flatMap(({ method }) => method).filter(({ name }) => !known.has(name));
  for (const one of home.service) one.method = [...methods, ...more];
}

/** A google.protobuf.FileDescriptorSet of all of them, from which tools make clients. */
export async function ownDescriptorSet(): Promise<Uint8Array<ArrayBuffer>> {
  const { services, fileDeclaring } = await describedOwnServices();
  const ordered = new Set<DescFile>();
  const visit = (file: DescFile | undefined) => {
    if (!file || ordered.has(file)) return;
    for (const imported of file.dependencies) visit(imported);
    ordered.add(file);
  };
  for (const service of services) visit(fileDeclaring(service));
  const file = [...ordered].map(({ proto }) => proto);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}
