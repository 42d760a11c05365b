/** A service whose messages are triggered one after another and read at their destination. */
import { momentText } from "../../messages/moment";
import { applyBootstrap } from "../bootstrap/apply";
import { deliverNext } from "../mail/deliver";
import { type MailRoutes, openMailRoutes } from "../mail/routes";
import { apiToken, callApi } from "./api";
import { exampleBootstrap, PASSWORD } from "./example";
import type { AdministratorsCall, ReceivedMessage, Sink } from "./message-sinks";
import { type TestService, testService } from "./test-context";

/** English, a language with formal and informal address, and one that is written from right to left. */
export const LANGUAGES = ["en", "de", "ar"] as const;
export type Tried = (typeof LANGUAGES)[number];

/** The name of all users. */
export const PERSON_NAME = "Fay Tor";

export interface StagePerson {
  id: string;
  organizationId: string;
  email: string;
  phone: string;
  language: Tried;
}

export type StageValues = Readonly<Record<string, string>>;

/** The cause of a message and its expected content. */
export interface Trigger {
  /** Differences of the user from the default; `null`: the user does not exist before the cause. */
  person?: ((person: StagePerson) => object) | null;
  organizationId?: (person: StagePerson) => string;
  /** Steps before the cause, whose messages are not checked. */
  prepare?: (stage: Stage, person: StagePerson) => Promise<unknown>;
  cause: (stage: Stage, person: StagePerson) => Promise<unknown>;
  /** The path of its button, relative to BASE_URL; undefined if it has none. */
  link?: RegExp;
  /** Undefined if it has none. */
  code?: RegExp;
  /** The path of the link that the service adds below the button. */
  second?: RegExp;
  /** Whether it has a link to report that the reader did not do this. */
  isDisownable?: true;
  /** Values of the type's own variables. */
  values?: (person: StagePerson) => StageValues;
}

/** A service whose messages go to one sink. */
export class Stage {
  readonly service: TestService;
  /** Values of users that `prepare` keeps for `cause`. */
  readonly kept = new Map<string, string>();
  readonly #sink: Sink;
  readonly #token: string;
  #routes: MailRoutes | undefined;

  private constructor(service: TestService, sink: Sink, token: string) {
    [this.service, this.#sink, this.#token] = [service, sink, token];
  }

  static async open(sink: Sink): Promise<Stage> {
    const service = await testService("sqlite", exampleBootstrap);
    const stage = new Stage(service, sink, await apiToken(service));
    await applyBootstrap(service.ctx, { organizations: [{ id: "other", name: "Other" }] });
    await sink.activate(stage.done);
    stage.#routes = openMailRoutes(service.ctx);
    return stage;
  }

  async close(): Promise<void> {
    this.#routes?.close();
    await this.#sink.stop();
    await this.service.close();
  }

  /** Calls the API as an administrator and expects success. */
  readonly done: AdministratorsCall = async (method, path, body) => {
    await this.service.ctx.db.prisma.throttle.deleteMany(); // one administrator makes all requests here
    const answer = await callApi(this.service, method, path, { token: this.#token, body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  async addPerson({ id, organizationId, email, phone, language }: StagePerson, more: object = {}): Promise<void> {
    const user = {
      id,
      userName: email,
      password: PASSWORD,
      profile: { firstName: "Fay", lastName: "Tor", displayName: PERSON_NAME, preferredLanguage: language },
      email: { email, isEmailVerified: true },
      phone: { phone, isPhoneVerified: true },
      ...more,
    };
    const organization = { id: organizationId, name: organizationId.toUpperCase(), users: [user] };
    const { warnings } = await applyBootstrap(this.service.ctx, { organizations: [organization] });
    if (warnings.length > 0) throw new Error(warnings.join("\n"));
  }

  /** Sends all waiting messages. Returns those that arrived for a user since the last call. */
  async arrivalsFor(recipient: string): Promise<ReceivedMessage[]> {
    const before = this.#sink.arrivals().length;
    if (this.#routes) while ((await deliverNext(this.service.ctx, this.#routes)) !== "idle");
    return this.#sink
      .arrivals()
      .slice(before)
      .filter((arrival) => arrival.recipient === recipient);
  }
}

let people = 0;

/** Creates a user with a language and triggers the message. @returns the expected and the received messages */
export async function cause(stage: Stage, trigger: Trigger, language: Tried, channel: "mail" | "sms") {
  const { db, secrets } = stage.service.ctx;
  const id = `fay-${++people}`;
  const phone = `+1555100${people.toString().padStart(4, "0")}`;
  const person: StagePerson = { id, organizationId: "acme", email: `${id}@mail.test`, phone, language };
  person.organizationId = trigger.organizationId?.(person) ?? "acme";
  if (trigger.person !== null) await stage.addPerson(person, trigger.person?.(person));
  await trigger.prepare?.(stage, person);
  await db.prisma.outboxMessage.deleteMany();
  await trigger.cause(stage, person);
  const recipient = channel === "mail" ? person.email : person.phone;
  const queued = await db.prisma.outboxMessage.findMany({ where: { recipient } });
  const payload = (queued[0]?.payload ?? {}) as { sealed?: string; at?: number };
  const { code = "" } = payload.sealed ? JSON.parse(secrets.open("mail", payload.sealed) ?? "{}") : {};
  const values: StageValues = {
    DisplayName: PERSON_NAME,
    PreferredLoginName: person.email,
    Domain: "localhost",
    Code: code,
    ...(payload.at !== undefined && { When: momentText(payload.at, [language], "UTC") }),
    ...trigger.values?.(person),
  };
  return { queued: queued.map((message) => message.type), arrivals: await stage.arrivalsFor(recipient), values };
}
