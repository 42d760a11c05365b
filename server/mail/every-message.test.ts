/**
 * Tests every type of message with its real trigger and reads it at its destination: a mail server, the two webhooks
 * and a server that emulates Twilio; in one language of each kind.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directionOf } from "../../messages/locales";
import { definitionOf, MESSAGE_TYPES, type MessageType } from "../message-types/table";
import { type ReceivedMessage, smtpSink, twilioSink, webhookSink } from "../testing/message-sinks";
import { cause, LANGUAGES, Stage, type StageValues, type Tried, type Trigger } from "../testing/message-stage";
import { MAILS, TEXTS } from "../testing/message-triggers";
import { builtInText, emailStrings } from "../texts/built-in";
import { MESSAGE_FIELDS, type MessageField } from "../texts/message-text";
import { carriesCode } from "../texts/variables";

const NOT_ME = "/login/not-me?token=";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/**
 * Returns a built-in text with its values as a pattern: values that only the service knows, such as a new user name,
 * match any word.
 */
const filled = (template: string, values: StageValues): string =>
  template
    .trim()
    .split(/(\{\{\.\w+\}\})/)
    .map((part) => {
      const name = /^\{\{\.(\w+)\}\}$/.exec(part)?.[1];
      return name === undefined ? escaped(part) : name in values ? escaped(values[name] ?? "") : "\\S+";
    })
    .join("");

/** Removes addresses, parts of which may look like codes. */
const withoutAddresses = (text: string) => text.replace(/https?:\/\/\S+|\S+@\S+/g, "");

const html = (text: string) => text.replaceAll("&", "&amp;");

/** Returns the defects of a received message, for the language of its reader. */
async function faultsOf(
  stage: Stage,
  type: MessageType,
  { link, code, second, isDisownable }: Trigger,
  { arrival, values, language }: { arrival: ReceivedMessage; values: StageValues; language: Tried },
): Promise<string[]> {
  const faults: string[] = [];
  const check = (holds: boolean, what: string) =>
    holds || faults.push(`${language}: ${what}: ${arrival.subject ?? ""}: ${arrival.text}`);
  const { baseUrl } = stage.service.config;
  const text = builtInText(type, language);
  const frame = emailStrings(language);
  const { parts, args } = arrival;
  const patternOf = (field: MessageField) => filled(text[field], values);
  const isMail = arrival.subject !== undefined;

  const everything = [arrival.subject, arrival.text, arrival.html, ...Object.values(parts ?? {})].join("\n");
  check(!everything.includes("{{"), "a variable without its value");
  if (isMail) check(new RegExp(`^${patternOf("subject")}$`).test(arrival.subject ?? ""), "the subject");
  if (parts) {
    for (const field of MESSAGE_FIELDS) {
      const isShown = field !== "buttonText" || link !== undefined;
      const end = field === "text" ? "(\n\n[^]*)?" : "";
      check(new RegExp(`^${isShown ? patternOf(field) : ""}${end}$`).test(parts[field] ?? ""), field);
    }
  } else {
    const fields: MessageField[] = isMail
      ? ["title", "greeting", "text", ...(link ? ["buttonText" as const] : []), "footerText"]
      : ["text"];
    const said = fields.map(patternOf).join(isMail ? "\n[^]*?" : "");
    check(new RegExp(isMail ? said : `^${said}(\n\nhttp\\S+)?$`).test(arrival.text), "the text");
  }
  if (arrival.type !== undefined) check(arrival.type === type, "the type");

  if (code) check(code.test(values.Code ?? ""), "the form of the code");
  else check(values.Code === "" || !everything.includes(values.Code ?? ""), "a code that is not for reading");
  const plain = withoutAddresses(arrival.text);
  if (code) check(plain.includes(values.Code ?? "?"), "the text without the code");
  else check(!/\b[A-Z\d]{4}-[A-Z\d]{4}\b|\b\d{4} \d{4}\b/.test(plain), "the text with a code");
  if (args) check(args.code === (carriesCode(type) ? values.Code : undefined), "the code in its place");

  const addresses: string[] = arrival.text.match(/https?:\/\/\S+/g) ?? [];
  if (parts?.url) addresses.unshift(parts.url);
  const paths = addresses.map((address) => (address.startsWith(baseUrl) ? address.slice(baseUrl.length) : address));
  const disowning = paths.filter((path) => path.startsWith(NOT_ME));
  check(disowning.length === (isDisownable ? 1 : 0), "“This wasn't me”");
  if (isDisownable)
    check(arrival.text.includes(`${frame.disown}\n${baseUrl}${disowning[0]}`), "“This wasn't me”, in words");
  const others = paths.filter((path) => !path.startsWith(NOT_ME) && !second?.test(path));
  check(!second || paths.some((path) => second.test(path)), "the second link");
  check(link ? others.length === 1 && link.test(others[0] ?? "") : others.length === 0, `the link ${others}`);
  for (const path of paths.filter((path) => path.includes("token="))) {
    const { status } = await stage.service.browser().get(path);
    check(
      status === 200 || status === 303, // the trigger signs in first
      `what its link opens: ${status}`,
    );
  }

  if (arrival.html !== undefined) {
    const tag = /<html[^>]*>/.exec(arrival.html)?.[0] ?? "";
    check(tag.includes(`lang="${language}"`) && tag.includes(`dir="${directionOf(language)}"`), `the language: ${tag}`);
    check(arrival.language === language, "the language of its header");
    check(arrival.html.includes(html(frame.automatic)), "the words around the text");
    check(new RegExp(html(patternOf("preHeader"))).test(arrival.html), "what lists of mails show");
    if (code) check(arrival.html.includes(values.Code ?? "?"), "the code in the markup");
    for (const path of paths) check(arrival.html.includes(`href="${html(baseUrl + path)}"`), "the link in the markup");
  }
  return faults;
}

it("every message type has a trigger here, and a second one if it is sent to phones", () => {
  const isShort = (type: MessageType) => definitionOf(type).channel === "sms";
  expect(Object.keys(MAILS).toSorted()).toEqual(MESSAGE_TYPES.filter((type) => !isShort(type)).toSorted());
  expect(Object.keys(TEXTS).toSorted()).toEqual([...MESSAGE_TYPES.filter(isShort), "passwordreset"].toSorted());
});

describe.each([
  { name: "a mail server", channel: "mail", triggers: MAILS, open: smtpSink },
  { name: "a webhook for mails", channel: "mail", triggers: MAILS, open: () => webhookSink("email") },
  { name: "Twilio", channel: "sms", triggers: TEXTS, open: twilioSink },
  { name: "a webhook for text messages", channel: "sms", triggers: TEXTS, open: () => webhookSink("sms") },
] as const)("every message by $name", ({ channel, triggers, open }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(await open());
  });
  afterAll(() => stage.close());

  it.each(Object.entries(triggers) as [MessageType, Trigger][])(
    "%s arrives once, in the language of its reader, with what it is to carry",
    async (type, trigger) => {
      const faults: string[] = [];
      for (const language of LANGUAGES) {
        const { queued, arrivals, values } = await cause(stage, trigger, language, channel);
        expect({ language, queued, arrived: arrivals.length }).toEqual({ language, queued: [type], arrived: 1 });
        for (const arrival of arrivals)
          faults.push(...(await faultsOf(stage, type, trigger, { arrival, values, language })));
      }
      expect(faults).toEqual([]);
    },
  );
});
