/**
 * The operator's tool: `npm run admin -- <command>`. On failure it prints one line and exits with a status other than
 * 0.
 */
import { runCommand } from "./admin/run";

process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
});
