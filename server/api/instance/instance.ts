/** Exports and applies the configuration of the whole service as one file. */
import { z } from "zod";
import { applyByApi } from "../../bootstrap/apply-by-api";
import { exportBootstrap } from "../../bootstrap/export";
import { bootstrapFile } from "../../bootstrap/schema";
import type { Context } from "../../context";
import { operation } from "../operation/operation";
import { streamed } from "../operation/streamed";

const tag = "Export and apply";
const READ_WHOLE = { level: "instance", permission: "iam.write", target: "nobody" } as const;

/** The schema, once in the OpenAPI document. */
const file = bootstrapFile.meta({ id: "BootstrapFile" });

const exportFile = {
  tag,
  summary: "Export the service as a bootstrap file",
  description:
    "The file contains no secrets, passwords and hashes, and no inactive or locked objects, because they would become active where the file is applied. " +
    "Apps that authenticate with a secret need a new one there.",
  scope: READ_WHOLE,
  answer: file,
  async handle(ctx: Context) {
    const day = new Date(ctx.clock()).toISOString().slice(0, 10);
    const fileName = `service-${day}.json`;
    return streamed({ contentType: "application/json", fileName, parts: exportBootstrap(ctx) });
  },
  effort: "heavy",
} as const;

const lines = z.array(z.string());

export const instanceOperations = [
  operation("ExportInstance", "GET /admin/v1/_export", {
    ...exportFile,
  }),
  operation("ExportInstanceByPost", "POST /admin/v1/_export", {
    ...exportFile,
  }),
  operation("ApplyInstance", "POST /admin/v1/_apply", {
    tag,
    summary: "Apply a bootstrap file",
    description:
      "Creates what is missing and changes what differs, all or nothing; removes nothing. Changes of texts that need another user's approval are refused. With `dryRun=true`, it only returns what would change.",
    scope: { level: "instance", permission: "iam.write", target: "all" },
    query: z.strictObject({ dryRun: z.enum(["true", "false"]).optional() }),
    body: file,
    bodyIsStrict: true,
    effort: "heavy",
    carriesPicture: true,
    answer: z.object({
      dryRun: z.boolean(),
      created: lines.meta({ example: ["user ada@acme.test"] }),
      updated: lines,
      warnings: lines,
    }),
    async handle(ctx, { body, query }) {
      const dryRun = query.dryRun === "true";
      const report = await applyByApi(ctx, body, { origin: ctx.origin, dryRun });
      return "created" in report ? { dryRun, ...report } : report;
    },
  }),
];
