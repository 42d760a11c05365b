/** The operator's tool: `npm run admin -- <command>`. One clear line and an exit status other than 0 on failure. */
import { runCommand } from "./admin/run";

process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
});
