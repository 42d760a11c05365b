/** Two mail servers, to test which one an email goes through: the service's own, and that of a hostile organization. */
import { setMailSettings } from "../directory/provider/mail-settings";
import { deliverNext } from "../mail/deliver";
import { openMailRoutes } from "../mail/routes";
import { startMailServer, type TestMailServer } from "./mail-server";
import type { TestService } from "./test-context";

export interface TwoMailServers {
  own: TestMailServer;
  theirs: TestMailServer;
  /** Sends all waiting messages. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the recipients of the emails of a server so far. */
export const recipientsOf = ({ mails }: TestMailServer) => mails.flatMap(({ envelope }) => envelope.to);

/** Starts the servers. The settings are stored directly, because the management API rejects the port. */
export async function twoMailServers(service: TestService, organizationId = "evil"): Promise<TwoMailServers> {
  const [own, theirs] = [await startMailServer(), await startMailServer()];
  const settings = { smtpUrl: theirs.url.replace("127.0.0.1", "mail.evil.test"), sender: "Evil <mail@evil.test>" };
  await setMailSettings({ ...service.ctx, origin: { actor: "u-mallory" } }, organizationId, settings);
  const { ctx } = service;
  const sending = { ...ctx, config: { ...ctx.config, smtpUrl: own.url, mailFrom: "Service <id@service.test>" } };
  const routes = openMailRoutes(sending, { resolve: async () => ["127.0.0.1"], mayConnect: () => true });
  return {
    own,
    theirs,
    async deliver() {
      while ((await deliverNext(sending, routes)) !== "idle");
    },
    async stop() {
      routes.close();
      await Promise.all([own.stop(), theirs.stop()]);
    },
  };
}
