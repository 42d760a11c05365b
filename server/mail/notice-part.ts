/**
 * The part of a notice in the service's own words, which an organization's text cannot omit: when it happened, on what
 * device, from which address, and where the reader can report that it was not them.
 */
import type { FrameMessages } from "../../messages/mail";
import type { Context } from "../context";
import { NOT_ME_PATH } from "../directory/mailed-code/not-me-link";
import type { MessagePayload } from "../message-types/message";
import type { NoticeFacts } from "../message-types/notice";
import { definitionOf, type MessageType } from "../message-types/table";
import { sampleValues } from "../texts/variables";

export interface NoticePart {
  /** One line each: the label, a word of the service, and its value. */
  facts: readonly { word: keyof FrameMessages; value: string }[];
  /** The URL of the page where the reader reports that it was not them. */
  disownUrl?: string;
}

interface Wanted {
  type: MessageType;
  payload?: MessagePayload & Partial<NoticeFacts>;
  withoutCodes?: boolean;
}

/**
 * Returns undefined for other messages. @param isTrial whether samples replace data that only a real occasion provides
 */
export function noticePartOf(
  ctx: Context,
  { type, payload = {}, withoutCodes }: Wanted,
  { time, isTrial, language }: { time(at: number): string; isTrial: boolean; language: string },
): NoticePart | undefined {
  const { notice } = definitionOf(type);
  if (!notice) return undefined;
  const samples = isTrial ? sampleValues("new_device", [language]) : {};
  const line = (word: "when" | "device" | "address", value: string | undefined) =>
    value === undefined ? [] : [{ word, value }];
  const facts = [
    ...line("when", payload.at === undefined ? samples.When : time(payload.at)),
    ...line("device", payload.device ?? samples.Device),
    ...line("address", payload.address ?? samples.Address),
    ...(payload.by === undefined ? [] : [{ word: "byAdministrator", value: "" } as const]),
  ];
  const path = payload.disown === undefined ? undefined : ctx.secrets.open("mail", payload.disown);
  const shown = notice.isDisownable && isTrial ? NOT_ME_PATH : withoutCodes ? path?.replace(/\?.*$/s, "") : path;
  return { facts, disownUrl: shown && `${ctx.config.baseUrl}${shown}` };
}
