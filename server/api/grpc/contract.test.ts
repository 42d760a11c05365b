import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../root";
import { fieldsOf } from "../../texts/message-text";
import { textOperations } from "../texts/operations";
import { procedureOf, textServices } from "./services";

const buf = (...parameters: string[]) =>
  execFileSync(path.join(root, "node_modules/.bin/buf"), parameters, { cwd: root, encoding: "utf8" });

describe("the proto files (contract §6)", () => {
  it("have exactly the procedures of the table", () => {
    for (const level of ["instance", "organization"] as const) {
      const wanted = textOperations.filter((operation) => operation.level === level).map(({ rpc }) => rpc);
      expect(textServices[level].methods.map(({ name }) => name).sort()).toEqual(wanted.sort());
    }
    expect(textServices.instance.typeName).toBe("service.admin.v1.AdminService");
    expect(textServices.organization.typeName).toBe("service.management.v1.ManagementService");
  });

  it("let a set bring the fields of its type", () => {
    for (const operation of textOperations.filter(({ kind }) => kind === "set")) {
      const names = procedureOf(operation).input.fields.map(({ localName }) => localName);
      expect(names).toEqual(["language", ...fieldsOf(operation.type)]);
    }
  });

  it("are clean, and the generated code is theirs", () => {
    expect(buf("lint", "proto")).toBe("");
    expect(buf("format", "--diff", "proto")).toBe("");
    const folder = mkdtempSync(path.join(tmpdir(), "generated-"));
    buf("generate", "--output", folder);
    const made = path.join(folder, "server/api/grpc/generated");
    const committed = path.join(root, "server/api/grpc/generated");
    const files = readdirSync(made, { recursive: true, encoding: "utf8" }).sort();
    expect(readdirSync(committed, { recursive: true, encoding: "utf8" }).sort()).toEqual(files);
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      expect(readFileSync(path.join(committed, file), "utf8")).toBe(readFileSync(path.join(made, file), "utf8"));
    }
    rmSync(folder, { recursive: true });
  });
});
