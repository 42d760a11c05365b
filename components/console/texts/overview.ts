// Which texts are customized, for the list of messages and the language tabs.
import type { MessageOverview, TextsOverview } from "../../../server/texts/customizations";
import type { Level } from "../parts/level";
import type { TextAddress } from "./address";
import type { MessageField, MessageType } from "./messages";
import { filledValues, type Values } from "./text-state";

export type { MessageOverview, TextsOverview };

const NONE: MessageOverview = { type: "init", isShortMessage: false, fields: [], languages: [] };

export const messageOf = ({ messages }: TextsOverview, type: MessageType): MessageOverview =>
  messages.find((message) => message.type === type) ?? NONE;

export interface Badge {
  /** The level of the text. */
  state: "customized" | "instance" | "built_in";
  /** The number of the message's fields that come from that level. */
  count: number;
  of: number;
}

/** The data of badges, also for the page texts. */
export interface CustomizedOverview {
  fields: readonly unknown[];
  languages: readonly ({ language: string } & Readonly<Record<Level, readonly string[]>>)[];
}

export function badgeOf(message: CustomizedOverview, level: Level, language: string): Badge {
  const found = message.languages.find((one) => one.language === language);
  const of = message.fields.length;
  const own = found?.[level].length ?? 0;
  if (own > 0) return { state: "customized", count: own, of };
  const inherited = level === "organization" ? (found?.instance.length ?? 0) : 0;
  return inherited > 0 ? { state: "instance", count: inherited, of } : { state: "built_in", count: 0, of };
}

/** Returns the number of languages in which the level has customized the message. */
export const customizedLanguages = (message: MessageOverview, level: Level): number =>
  message.languages.filter((one) => one[level].length > 0).length;

/** Returns the overview after the level has changed a text. */
export function withCustomized(
  overview: TextsOverview,
  level: Level,
  { type, language }: TextAddress,
  values: Values,
): TextsOverview {
  const fields = Object.keys(filledValues(values)) as MessageField[];
  const messages = overview.messages.map((message) => {
    if (message.type !== type) return message;
    const languages = overview.languages.flatMap((tag) => {
      const before = message.languages.find((one) => one.language === tag) ?? {
        language: tag,
        organization: [],
        instance: [],
      };
      const after = tag === language ? { ...before, [level]: fields } : before;
      return after.organization.length + after.instance.length > 0 ? [after] : [];
    });
    return { ...message, languages };
  });
  return { ...overview, messages };
}
