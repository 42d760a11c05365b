/** Announces the ends of certificates of SAML providers, and of client secrets of other identity providers. */
import type { Context } from "../../context";
import { asSystem, record, UNCHANGED } from "../../events/record";
import { listEndingProviders, markEndAnnounced } from "../../storage/identity-provider/providers";
import { SECRET_NOTICE } from "../app/secret";
import { findInstance } from "../instance";

/** Providers that one run announces; the next run continues. */
const ANNOUNCED_IN_A_RUN = 100;

/** Records an event for each end, once, as for the secrets of apps. */
export async function announceEndingProviders(ctx: Context): Promise<void> {
  const now = ctx.clock();
  const range = { now, until: now + SECRET_NOTICE, limit: ANNOUNCED_IN_A_RUN };
  const instanceId = (await findInstance(ctx)).id;
  for (const { id, ownerId, certificateExpiresAt, secretExpiresAt } of await listEndingProviders(ctx.db, range)) {
    const end = certificateExpiresAt ?? secretExpiresAt ?? now;
    await record(asSystem(ctx), {
      type: `${ownerId === instanceId ? "instance" : "organization"}.identity_provider.credential_expiring`,
      object: { id: ownerId, organizationId: ownerId },
      async state({ tx }) {
        if (!(await markEndAnnounced(tx, id, end))) return UNCHANGED; // another process has announced it
        const credential = certificateExpiresAt === null ? "client_secret" : "certificate";
        return { payload: { providerId: id, credential, expiresAt: new Date(end).toISOString() } };
      },
    });
  }
}
