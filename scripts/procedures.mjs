// node scripts/procedures.mjs: generates the TypeScript of the gRPC messages and services (server/api/grpc/generated)
// from proto/descriptors.binpb, and what of ZITADEL's services (proto/zitadel.binpb) is part of the bundle. The
// generator uses the protocol of protoc plugins: a request on its standard input, the files in the response. The
// compiler of the proto files, buf, takes 96 MB and is not installed with the service.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
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

const zitadel = readFileSync(inProject("proto/zitadel.binpb"));
const services = fromBinary(FileDescriptorSetSchema, zitadel).file.flatMap((file) =>
  file.service.map((service) => [`${file.package}.${service.name}`, file.name]),
);
const made = "// Made by scripts/procedures.mjs from proto/zitadel.binpb; not to be edited.\n";
const table = JSON.stringify(Object.fromEntries(services.sort()), null, 2);
writeFileSync(join(folder, "zitadel-services.ts"), `${made}export const zitadelServices = ${table} as const;\n`);
const packed = gzipSync(zitadel, { level: 9 }).toString("base64");
writeFileSync(join(folder, "zitadel-files.ts"), `${made}export const zitadelFiles: string = "${packed}";\n`);
