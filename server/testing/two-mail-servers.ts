/** Whose mail server a mail goes through: the service's own, and one that a hostile organization has set for itself. */
import { setMailSettings } from "../directory/provider/mail-settings";
import { deliverNext } from "../mail/deliver";
import { openMailRoutes } from "../mail/routes";
import { startMailServer, type TestMailServer } from "./mail-server";
import type { TestService } from "./test-context";

export interface TwoMailServers {
  own: TestMailServer;
  theirs: TestMailServer;
  /** Sends everything that waits. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

/** To whom a server was given mails, so far. */
export const recipientsOf = ({ mails }: TestMailServer) => mails.flatMap(({ envelope }) => envelope.to);

/** Its port is none that the management API takes, so the settings are stored without it. */
export async function twoMailServers(service: TestService, organizationId = "evil"): Promise<TwoMailServers> {
  const [own, theirs] = [await startMailServer(), await startMailServer()];
  const settings = { smtpUrl: theirs.url.replace("127.0.0.1", "mail.evil.test"), sender: "Evil <mail@evil.test>" };
  await setMailSettings(service.ctx, organizationId, settings, { actor: "u-mallory" });
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
