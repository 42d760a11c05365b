/** Serves a single-page application: one bundled script on one page, for all addresses. */
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Returns the application. @param globals values for the page's script in `window` */
export async function singlePageApplication(
  script: "oidc-client-ts.ts" | "oidc-client.ts",
  globals: Record<string, unknown>,
): Promise<RequestListener> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(script, import.meta.url))],
    bundle: true,
    format: "esm",
    target: "es2022",
    define: { global: "window" },
    write: false,
  });
  const html = [
    "<!doctype html><html lang=en><title>Application</title><body>",
    `<script>Object.assign(window, ${JSON.stringify(globals)})</script>`,
    "<script type=module src=/script.js></script>",
  ].join("\n");
  return (request, response) => {
    const isScript = request.url === "/script.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(isScript ? outputFiles[0]?.contents : html);
  };
}
