// The texts of refusals in the console. English is the reference.
import type en from "./en/console/refusals.json";
import { catalogue } from "./generated/refusals";
import type { LocaleTag } from "./locales";

export type RefusalMessages = typeof en;

export const refusalMessages: Readonly<Record<string, RefusalMessages>> = catalogue satisfies Record<
  LocaleTag,
  RefusalMessages
>;
