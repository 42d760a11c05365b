/**
 * Chooses the provider of a text message, as routes.ts does for mails: the organization's active one, else the
 * service's; undefined: text messages are kept. A message that opens an account uses an organization's provider only if
 * the author of its settings may open the account, as the provider can read every code.
 */
import type { Context } from "../context";
import { mayOpenAccount } from "../directory/member/privileges";
import { findInstanceSmsProvider, findSmsProvider, type SmsProvider } from "../directory/sms-provider/provider";
import { holderOf, type RoutedMessage } from "./routes";

/** Finds the provider. Evaluated again at each attempt, as roles and settings change. */
export async function findSmsRoute(ctx: Context, message: RoutedMessage): Promise<SmsProvider | undefined> {
  const own = await findSmsProvider(ctx, message.organizationId);
  const holder = holderOf(message);
  return own && (!holder || (await mayOpenAccount(ctx, own, holder))) ? own : findInstanceSmsProvider(ctx);
}
