// Checks every alert with the metrics of its fault.
import { spawnSync } from "node:child_process";
import { inProject } from "../scripts/environment.mjs";
import { cannotRun, must, say } from "./harness/report.mjs";

export const summary = "every alert fires for the fault it is for (needs promtool, of the package prometheus)";

export async function drill() {
  for (const [what, ...args] of [
    ["the rules can be read", "check", "rules", "alerts.yaml"],
    ["each fires, and none while all is well", "test", "rules", "alerts.test.yaml"],
  ]) {
    const { error, status, stdout, stderr } = spawnSync("promtool", args, {
      cwd: inProject("deploy/prometheus"),
      encoding: "utf8",
    });
    if (error) throw cannotRun(`promtool is missing: install the package prometheus (${error.message})`);
    if (status !== 0) say(stdout + stderr);
    must(what, status === 0);
  }
}
