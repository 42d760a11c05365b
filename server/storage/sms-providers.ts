/** Rows of providers of text messages: the service's own, and those of organizations. */
import { type ProviderRow, providerTable } from "./providers";

/** Its sender is a number or a name; empty: the provider decides. */
export type SmsProviderRow = ProviderRow;

export const smsProviders = providerTable<SmsProviderRow>("SmsProvider", [], (tx) => tx.smsProvider);
