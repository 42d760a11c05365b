// Called by next-intl for every request of the console (next.config.mjs names this file). The language was chosen
// before the request reached Next.js (server/console/gate.ts), by the same rules as on the pages before sign-in.
import { headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { consoleMessages } from "./console";
import { onMissing } from "./missing";

export default getRequestConfig(async () => {
  const request = await headers();
  const chosen = request.get("x-console-locale") ?? "en";
  const locale = chosen in consoleMessages ? chosen : "en";
  return {
    locale,
    messages: consoleMessages[locale],
    timeZone: request.get("x-console-zone") || "UTC",
    ...onMissing,
  };
});
