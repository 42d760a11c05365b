/**
 * The service itself: its default language, default organization, features and security settings. There is exactly one
 * row, created at the first start, even if several processes start at once.
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { difference } from "../events/difference";
import { asSystem, type ChangeContext, noteChange, recordIn, UNCHANGED } from "../events/record";
import {
  findInstanceRow,
  type InstanceRow,
  type InstanceSettings,
  insertInstanceRow,
  updateInstanceRow,
} from "../storage/instance/instance";
import { createCache } from "./cache";
import { changeDirectory } from "./change";
import type { InstanceFeature } from "./features";

export type { InstanceRow, InstanceSettings };

const instances = createCache<InstanceRow>("instance");

/** Returns the instance, at most five seconds old. Throws before `ensureInstance` has run. */
export async function findInstance(ctx: Context): Promise<InstanceRow> {
  const instance = await instances.get(ctx, "", () => findInstanceRow(ctx.db));
  if (!instance) throw new Error("the database has no instance yet");
  return instance;
}

export async function isEnabled(ctx: Context, feature: InstanceFeature): Promise<boolean> {
  return (await findInstance(ctx)).features[feature] === true;
}

/** Creates the instance if it does not exist. */
export async function ensureInstance(ctx: Context): Promise<InstanceRow> {
  const known = await findInstanceRow(ctx.db);
  if (known) return known;
  await changeDirectory(ctx, async (ctx) => {
    const id = newId();
    await recordIn(asSystem(ctx), {
      type: "instance.added",
      object: { id, organizationId: id },
      async state(_, now) {
        const row = {
          id,
          defaultLanguage: "en",
          defaultOrganizationId: null,
          features: {},
          security: {},
          tokenLifetimes: {},
          codeLifetimes: {},
          registrationProjectId: null,
          createdAt: now,
        };
        const added = await insertInstanceRow(ctx.db, ctx.tx, row);
        return added ? { payload: { defaultLanguage: row.defaultLanguage } } : UNCHANGED;
      },
    });
  });
  return findInstance(ctx);
}

/**
 * Updates the settings that differ; omitted settings are kept.
 * @returns whether anything changed
 */
export async function changeInstance(
  ctx: ChangeContext,
  stored: InstanceRow,
  wanted: Partial<InstanceSettings>,
): Promise<boolean> {
  noteChange(ctx.tx, "instance.changed", stored.id);
  const changes = difference<Partial<InstanceSettings>>(stored, wanted);
  if (!changes) return false;
  await recordIn(ctx, {
    type: "instance.changed",
    object: { id: stored.id, organizationId: stored.id },
    async state() {
      await updateInstanceRow(ctx.tx, stored.id, changes.data);
      return { payload: changes.payload };
    },
  });
  return true;
}
