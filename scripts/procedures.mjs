// node scripts/procedures.mjs: generates the TypeScript of the gRPC messages and services (server/api/grpc/generated)
// from proto/descriptors.binpb, and what of ZITADEL's services (proto/zitadel.binpb) is part of the bundle. The
// generator uses the protocol of protoc plugins: a request on its standard input, the files in the response. The
// compiler of the proto files, buf, takes 96 MB and is not installed with the service.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { create, createFileRegistry, fromBinary, getOption, hasOption, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { inProject } from "./environment.mjs";

const { file: protoFile } = fromBinary(FileDescriptorSetSchema, readFileSync(inProject("proto/descriptors.binpb")));
const fileToGenerate = protoFile.map(({ name }) => name).filter((name) => !name.startsWith("google/"));
const parameter = "target=ts,import_extension=none";
const request = create(CodeGeneratorRequestSchema, { fileToGenerate, parameter, protoFile });
const generator = inProject("node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es");
const output = execFileSync(process.execPath, [generator], {
  input: toBinary(CodeGeneratorRequestSchema, request),
  maxBuffer: 2 ** 26,
});
const response = fromBinary(CodeGeneratorResponseSchema, output);
if (response.error) throw new Error(response.error);

const folder = inProject("server/api/grpc/generated");
rmSync(folder, { recursive: true, force: true });
for (const { name, content } of response.file) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Where the REST addresses of version 1 begin; those of version 2 are whole. */
const PREFIXES = {
  "zitadel.admin.v1": "/admin/v1",
  "zitadel.management.v1": "/management/v1",
  "zitadel.auth.v1": "/auth/v1",
  "zitadel.system.v1": "/system/v1",
};

/** The REST addresses of a method (google.api.http): `GET /v2/users/{user_id}`. */
function addressesOf(method, http) {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  const prefix = PREFIXES[method.parent.file.proto.package] ?? "";
  return [rule, ...rule.additionalBindings].map(({ pattern }) => {
    return `${pattern.case.toUpperCase()} ${prefix}${pattern.value}`;
  });
}

const zitadel = fromBinary(FileDescriptorSetSchema, readFileSync(inProject("proto/zitadel.binpb")));
const registry = createFileRegistry(zitadel);
const [http] = registry.getFile("google/api/annotations.proto").extensions;
const services = [...registry]
  .filter(({ kind }) => kind === "service")
  .map((service) => {
    const methods = service.methods.map((method) => [method.name, addressesOf(method, http)]);
    return [service.typeName, { file: service.file.proto.name, methods: Object.fromEntries(methods) }];
  });
const made = "// Made by scripts/procedures.mjs from proto/zitadel.binpb; not to be edited.\n";
const table = JSON.stringify(Object.fromEntries(services.sort()), null, 1);
writeFileSync(join(folder, "zitadel-services.ts"), `${made}export const zitadelServices = ${table} as const;\n`);
// The addresses are in the table, so the descriptors do without them.
const file = zitadel.file.filter(({ name }) => !name.startsWith("google/api/"));
for (const one of file) {
  one.dependency = one.dependency.filter((name) => !name.startsWith("google/api/"));
  for (const { method } of one.service) for (const each of method) each.options = undefined;
}
const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
const packed = gzipSync(bytes, { level: 9 }).toString("base64");
writeFileSync(join(folder, "zitadel-files.ts"), `${made}export const zitadelFiles: string = "${packed}";\n`);
