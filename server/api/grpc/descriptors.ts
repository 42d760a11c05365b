/**
 * The declarations behind served services, as server reflection hands them out: files by name, by what they declare
 * and by the extensions in them. All of it is read from the descriptors that the procedures themselves run on.
 */
import type { DescExtension, DescFile, DescService } from "@bufbuild/protobuf";
import { toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

export interface Descriptors {
  /** Full names of the services, in order of the alphabet. */
  services: readonly string[];
  /** By its name in `import`, such as `service/v1/object.proto`. */
  fileNamed(name: string): DescFile | undefined;
  /** @param symbol full name of a service, method, message, field, oneof, enum, enum value or extension */
  fileDeclaring(symbol: string): DescFile | undefined;
  /** By number; undefined if there is no message of this full name. */
  extensionsOf(message: string): ReadonlyMap<number, DescExtension> | undefined;
}

export function descriptorsOf(services: Iterable<DescService>): Descriptors {
  const all = [...new Set(services)];
  const files = new Map<string, DescFile>();
  for (const { file } of all) for (const one of withImports(file)) files.set(one.proto.name, one);
  const declared = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescExtension>>();
  for (const file of files.values()) {
    for (const type of nestedTypes(file)) {
      for (const name of namesIn(type)) declared.set(name, file);
      if (type.kind === "message") extensions.set(type.typeName, extensions.get(type.typeName) ?? new Map());
      if (type.kind !== "extension") continue;
      const known = extensions.get(type.extendee.typeName) ?? new Map<number, DescExtension>();
      extensions.set(type.extendee.typeName, known.set(type.number, type));
    }
  }
  return {
    services: all.map(({ typeName }) => typeName).sort(),
    fileNamed: (name) => files.get(name),
    fileDeclaring: (symbol) => declared.get(symbol),
    extensionsOf: (message) => extensions.get(message),
  };
}

/** The file, and whatever it imports, at any depth; each once, the file first. */
export function withImports(file: DescFile): DescFile[] {
  const found = new Set([file]);
  for (const one of found) for (const imported of one.dependencies) found.add(imported);
  return [...found];
}

const serialized = new WeakMap<DescFile, Uint8Array>();

/** A google.protobuf.FileDescriptorProto. */
export function fileBytes(file: DescFile): Uint8Array {
  const known = serialized.get(file);
  if (known) return known;
  const bytes = toBinary(FileDescriptorProtoSchema, file.proto);
  serialized.set(file, bytes);
  return bytes;
}

type Declaration = ReturnType<typeof nestedTypes> extends Iterable<infer One> ? One : never;

function namesIn(type: Declaration): string[] {
  const within = (members: readonly { name: string }[]) => members.map(({ name }) => `${type.typeName}.${name}`);
  switch (type.kind) {
    case "message":
      return [type.typeName, ...within(type.fields), ...within(type.oneofs)];
    case "service":
      return [type.typeName, ...within(type.methods)];
    case "enum": {
      // Values are named beside their enum, not below it (protobuf language specification, "Enum Value Options").
      const scope = type.typeName.slice(0, type.typeName.lastIndexOf(".") + 1);
      return [type.typeName, ...type.values.map(({ name }) => `${scope}${name}`)];
    }
    case "extension":
      return [type.typeName];
  }
}
