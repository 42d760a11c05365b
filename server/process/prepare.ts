/**
 * Prepares a database for the service: applies the bootstrap file, makes signing keys, and creates a setup link for the
 * first administrator if no administrator exists yet.
 */

import { applyBootstrapFile } from "../bootstrap/apply";
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { ensureNameKeys } from "../directory/organization/organization";
import { createSetupLink, isEmpty } from "../directory/setup/setup";
import { ensureWords } from "../directory/user/search-terms";
import { resealSecrets } from "../keys/reseal";
import { ensureSigningKeys } from "../keys/signing-keys";
import { oneAtATime } from "../storage/engine/one-at-a-time";
import { replaceBaseUrl } from "../storage/instance/instance";

/**
 * Prepares the database. Processes that start at once do so one after the other: a large bootstrap file locks the row
 * of the instance for longer than a statement of another process may wait.
 * @param announce whether this process shows the setup link; only one of several does
 * @returns the setup link if there is no administrator yet
 */
export function prepareDatabase(ctx: Context, options: { announce: boolean }): Promise<string | undefined> {
  const onWait = () => ctx.log.info("waiting for another process that prepares the database");
  return oneAtATime(ctx.config.databaseUrl, "database is prepared", () => prepareAlone(ctx, options), onWait);
}

async function prepareAlone(ctx: Context, { announce }: { announce: boolean }): Promise<string | undefined> {
  if (ctx.config.bootstrapFile !== undefined) {
    const report = await applyBootstrapFile(ctx, ctx.config.bootstrapFile);
    ctx.log.info(report, "bootstrap file applied");
  }
  await ensureNameKeys(ctx);
  await ensureWords(ctx);
  const instance = await findInstance(ctx);
  await ensureSigningKeys(ctx, instance.id);
  const before = await replaceBaseUrl(ctx.db, ctx.config.baseUrl);
  if (before !== null && before !== ctx.config.baseUrl) {
    ctx.log.warn(
      { before, now: ctx.config.baseUrl },
      "BASE_URL is another one than at the last start: tokens, links and passkeys of the former address are void",
    );
  }
  const resealed = await resealSecrets(ctx);
  if (resealed > 0) ctx.log.info({ count: resealed }, "values re-sealed with the first secret key");
  return announce && (await isEmpty(ctx)) ? createSetupLink(ctx) : undefined;
}
