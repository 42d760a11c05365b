// node scripts/zitadel-protos.mjs <folder of github.com/zitadel/zitadel-go/v3>: writes proto/zitadel.binpb,
// the descriptors of ZITADEL's services (a google.protobuf.FileDescriptorSet), which the generated Go files have as
// bytes. The packages for other languages lack the newer services. `go mod download -json <module>@<version>` says the
// folder. Of the options only the REST addresses (google.api.http) are kept: the others have no effect here.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as wellKnown from "@bufbuild/protobuf/wkt";
import { inProject } from "./environment.mjs";

const { FileDescriptorProtoSchema, FileDescriptorSetSchema } = wellKnown;
/** The extension `google.api.http` of google.protobuf.MethodOptions. */
const HTTP = 72295728;
/** Imported only for options that are not kept. */
const OF_OPTIONS =
  /^(?:validate|protoc-gen-openapiv2|google\/api\/field_behavior|zitadel\/options|zitadel\/v1\/options|zitadel\/protoc_gen_zitadel)/;

export async function zitadelDescriptors(module) {
  const known = new Map();
  const annotations = await import(inProject("node_modules/@zitadel/proto/es/google/api/annotations_pb.js"));
  const files = [...Object.values(wellKnown), ...Object.values(annotations)].filter(({ kind }) => kind === "file");
  for (const { proto, dependencies } of files)
    for (const file of [proto, ...dependencies.map((one) => one.proto)]) {
      known.set(file.name, file);
    }
  const folder = join(module, "pkg/client/zitadel");
  const generated = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".pb.go"));
  for (const name of generated) {
    for (const file of descriptorsIn(readFileSync(join(folder, name), "utf8"))) known.set(file.name, file);
  }
  const taken = new Map();
  const visit = (file) => {
    if (OF_OPTIONS.test(file.name) || taken.has(file.name)) return;
    for (const name of file.dependency.filter((one) => !OF_OPTIONS.test(one))) visit(known.get(name));
    taken.set(file.name, withoutOptions(file));
  };
  for (const name of [...known.keys()].sort()) if (known.get(name).service.length > 0) visit(known.get(name));
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...taken.values()] }));
}

/** The `…_rawDesc = []byte{0x0a, …}` of a generated Go file. */
function descriptorsIn(source) {
  return [...source.matchAll(/_rawDesc = \[\]byte\{([^}]*)\}/g)].map(([, bytes]) =>
    fromBinary(FileDescriptorProtoSchema, Uint8Array.from(bytes.match(/0x[0-9a-f]{2}/g), Number)),
  );
}
function withoutOptions(file) {
  const dependency = file.dependency.filter((name) => !OF_OPTIONS.test(name));
  const bare = structuredClone({ ...file, dependency, options: undefined, sourceCodeInfo: undefined });
  bare.publicDependency = [];
  bare.weakDependency = [];
  const visit = (message) => {
    message.options = undefined;
    for (const one of [...message.field, ...message.oneofDecl, ...message.extension]) one.options = undefined;
    for (const one of message.enumType) bareEnum(one);
    for (const one of message.nestedType) {
      // Maps are messages with an option.
      const isMap = one.options?.mapEntry;
      visit(one);
      if (isMap) one.options = { $typeName: "google.protobuf.MessageOptions", mapEntry: true, uninterpretedOption: [] };
    }
  };
  for (const message of bare.messageType) visit(message);
  for (const one of bare.enumType) bareEnum(one);
  for (const service of bare.service) {
    service.options = undefined;
    for (const { options } of service.method) {
      if (!options) continue;
      const http = options.$unknown?.filter(({ no }) => no === HTTP) ?? [];
      for (const name of Object.keys(options))
        if (!["$typeName", "uninterpretedOption"].includes(name)) delete options[name];
      options.$unknown = http;
    }
  }
  return bare;
}

function bareEnum(one) {
  one.options = undefined;
  for (const value of one.value) value.options = undefined;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(inProject("proto", "zitadel.binpb"), await zitadelDescriptors(process.argv[2]));
}
