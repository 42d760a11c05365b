import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { MESSAGE_TYPES } from "../../message-types/table";
import { root } from "../../root";
import { fieldsOf } from "../../texts/message-text";
import { operations } from "../all";
import { methodOf, services } from "./services";

const buf = (...parameters: string[]) =>
  execFileSync(path.join(root, "node_modules/.bin/buf"), parameters, { cwd: root, encoding: "utf8" });

describe("the proto files (rule GRPC-2)", () => {
  it("have exactly the procedures of the table", () => {
    const procedures = operations.flatMap(({ procedure }) => procedure ?? []);
    expect(procedures).toHaveLength(80);
    for (const service of ["AdminService", "ManagementService"] as const) {
      const wanted = procedures.filter((procedure) => procedure.service === service).map(({ name }) => name);
      expect(services[service].methods.map(({ name }) => name).sort()).toEqual(wanted.sort());
    }
    expect(services.AdminService.typeName).toBe("service.admin.v1.AdminService");
    expect(services.ManagementService.typeName).toBe("service.management.v1.ManagementService");
  });

  it("have a request with the fields of its type for each set procedure", () => {
    for (const { method, path, procedure } of operations) {
      if (!procedure || method !== "PUT") continue;
      const type = MESSAGE_TYPES.find((one) => path.includes(`/${one}/`)) ?? "init";
      const names = methodOf(procedure).input.fields.map(({ localName }) => localName);
      expect(names).toEqual(["language", ...fieldsOf(type)]);
    }
  });

  it("are clean, and the descriptors in the repository are theirs", () => {
    expect(buf("lint", "proto")).toBe("");
    expect(buf("format", "--diff", "proto")).toBe("");
    const folder = mkdtempSync(path.join(tmpdir(), "descriptors-"));
    const made = path.join(folder, "descriptors.binpb");
    buf("build", "proto", "--as-file-descriptor-set", "--exclude-source-info", "-o", made);
    expect(readFileSync(path.join(root, "proto/descriptors.binpb")).equals(readFileSync(made))).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
