/** Rows of providers of text messages: those of the service and those of organizations. */
import { type ProviderRow, providerTable } from "./provider-table";

/** A provider of text messages. Its sender is a number or a name; if it is empty, the provider decides. */
export type SmsProviderRow = ProviderRow;

export const smsProviders = providerTable<SmsProviderRow>("SmsProvider", [], (tx) => tx.smsProvider);
