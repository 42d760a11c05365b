/** The messages of the service to users: the outbox, with the codes that a reader sees. */
import type { TestService } from "./test-context";

export interface Mailed {
  type: string;
  recipient: string;
  /** Empty if the message has none. */
  code: string;
  /** The path of the link, relative to BASE_URL. */
  path: string;
  /** The address of the link, where it is not a page of ours. */
  url?: string;
}

/** Returns all messages so far, oldest first. */
export async function mailsTo(service: TestService, recipient?: string): Promise<Mailed[]> {
  const rows = await service.ctx.db.prisma.outboxMessage.findMany({
    where: recipient === undefined ? {} : { recipient },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ type, recipient, payload }) => {
    const { sealed } = payload as { sealed?: string };
    const opened = sealed === undefined ? undefined : service.ctx.secrets.open("mail", sealed);
    const secret =
      opened === undefined ? { code: "", path: "" } : (JSON.parse(opened) as Pick<Mailed, "code" | "path" | "url">);
    return { type, recipient, ...secret };
  });
}

export async function lastMailTo(service: TestService, recipient: string): Promise<Mailed> {
  const mail = (await mailsTo(service, recipient)).at(-1);
  if (!mail) throw new Error(`nothing was written to ${recipient}`);
  return mail;
}
