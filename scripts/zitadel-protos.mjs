// node scripts/zitadel-protos.mjs: writes proto/zitadel.binpb, the descriptors of ZITADEL's services (a
// google.protobuf.FileDescriptorSet), from the package @zitadel/proto, which is only installed for development. Of
// their options only the REST addresses (google.api.http) are kept: the others have no effect here.
import { readdirSync, writeFileSync } from "node:fs";
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { inProject } from "./environment.mjs";

/** The extension `google.api.http` of google.protobuf.MethodOptions. */
const HTTP = 72295728;
/** Imported only for options that are not kept. */
const OF_OPTIONS =
  /^(?:validate|protoc-gen-openapiv2|google\/api\/field_behavior|zitadel\/options|zitadel\/v1\/options|zitadel\/protoc_gen_zitadel)/;
const PACKAGE = "node_modules/@zitadel/proto/es/zitadel";
/** Drafts that ZITADEL 4 does not serve. */
const isDraft = (name) => name.startsWith("resources/");

export async function zitadelDescriptors() {
  const names = readdirSync(inProject(PACKAGE), { recursive: true }).filter((name) => name.endsWith("_pb.js"));
  const files = new Map();
  const visit = (file) => {
    if (OF_OPTIONS.test(file.proto.name) || files.has(file.proto.name)) return;
    for (const imported of file.dependencies) visit(imported);
    files.set(file.proto.name, withoutOptions(file.proto));
  };
  for (const name of names.filter((name) => !isDraft(name)).sort()) {
    const module = await import(inProject(PACKAGE, name));
    for (const { kind, file } of Object.values(module)) if (kind === "service") visit(file);
  }
  const set = create(FileDescriptorSetSchema, { file: [...files.values()] });
  return toBinary(FileDescriptorSetSchema, set);
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
  writeFileSync(inProject("proto", "zitadel.binpb"), await zitadelDescriptors());
}
