/**
 * Origins of browser code (Fetch standard §3.2): those of an app's redirect URIs, where its pages are, and the
 * additional ones in its settings. Scripts of other origins cannot read the service's responses.
 */
import type { Context } from "../../context";
import type { Client } from "../../protocol/client";
import { parseUrl } from "../../protocol/url";
import { listAppSettings } from "../../storage/app/app";
import { createCache } from "../cache";
import { readSecuritySettings } from "../instance-settings";

/** Returns the client's own origins. */
export function originsOf(client: Pick<Client, "redirectUris" | "additionalOrigins">): Set<string> {
  return new Set([...client.redirectUris.flatMap(webOrigin), ...client.additionalOrigins]);
}

/** Returns the origin of a web address; pages cannot have an origin of another scheme. */
function webOrigin(uri: unknown): string[] {
  const url = typeof uri === "string" && /^https?:/i.test(uri) ? parseUrl(uri) : undefined;
  return url ? [url.origin] : [];
}

const allOrigins = createCache<Set<string>>("origins");

/**
 * Returns whether any active app has this origin; for preflight requests, which do not name the app. The result can be
 * up to 5 seconds old. While clients can come by themselves, any web origin counts: each of them could register, and
 * the origins of so many clients are not read (attack: a flood of registrations that makes each preflight expensive).
 */
export async function isKnownOrigin(ctx: Context, origin: string): Promise<boolean> {
  const { dynamicClientRegistration, clientIdMetadataDocuments } = await readSecuritySettings(ctx);
  if (dynamicClientRegistration.enabled || clientIdMetadataDocuments.enabled) return webOrigin(origin).includes(origin);
  const known = await allOrigins.get(ctx, "", async () => {
    const settings = await listAppSettings(ctx.db);
    const listed = (value: unknown) => (Array.isArray(value) ? value : []);
    return new Set(
      settings.flatMap(({ redirectUris, additionalOrigins }) =>
        [...listed(redirectUris), ...listed(additionalOrigins)].flatMap(webOrigin),
      ),
    );
  });
  return known?.has(origin) ?? false;
}
