/** The switch that makes the service speak to ZITADEL's clients, under the names that they know. */
import type { Context } from "../context";
import { readFeatures } from "./instance-settings";

/** The feature of the instance, else the environment (`COMPATIBILITY`). */
export async function isZitadelCompatible(ctx: Context): Promise<boolean> {
  return (await readFeatures(ctx)).zitadelCompatibility ?? ctx.config.isZitadelCompatible;
}
