/**
 * Chooses the provider of a text message, as routes.ts does for mails: the organization's active one, else the
 * service's; undefined: text messages are kept. A message that opens an account uses an organization's provider only if
 * the author of its settings may open the account, as the provider can read every code.
 */
import type { Context } from "../context";
import { mayOpenAccount } from "../directory/member/privileges";
import { smsChannel } from "../directory/provider/channel";
import { findProvider, type Provider } from "../directory/provider/provider";
import { holderOf, type RoutedMessage } from "./routes";

/** Finds the provider. Evaluated again at each attempt, as roles and settings change. */
export async function findSmsRoute(ctx: Context, message: RoutedMessage): Promise<Provider | undefined> {
  const own = await findProvider(ctx, smsChannel, message.organizationId);
  const holder = holderOf(message);
  const mayUse = own && (!holder || (await mayOpenAccount(ctx, own, holder)));
  return mayUse ? own : findProvider(ctx, smsChannel, undefined);
}
