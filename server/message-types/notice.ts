/**
 * Notices: mails about security events of an account, so that a theft is noticed (ASVS 6.3.7, NIST SP 800-63B §4.6;
 * rule MESSAGE-4). Each kind is a separate type of message, and a switch of the notification policy.
 */
import type { FactorKind } from "../protocol/second-factor";
import { type MessageDefinition, messageType } from "./definition";
import { momentVariable, variable } from "./variable";

/**
 * The facts of a notice. Unknown ones are omitted; queued messages contain these members, so their names must never
 * change.
 */
export interface NoticeFacts {
  /** Epoch milliseconds. */
  at: number;
  /** The browser and its system, from the request header (which can be forged). */
  device?: string;
  /** The IP address. */
  address?: string;
  /** A new address or number, partly hidden, or the name of an app. */
  change?: string;
  /** The kind of factor, instead of `change`: it is named in the reader's language. */
  factor?: FactorKind | "passkey";
  /** Set if someone else made the change: the notice then omits browser and address, which are not the reader's. */
  by?: "administrator";
}

const UNKNOWN = "–";

export const WHEN = momentVariable("When", "When it happened.", Date.UTC(2025, 2, 14, 9, 26));

const VARIABLES = [
  WHEN,
  variable("Device", "The browser and its system; a dash if they are not known.", "Firefox · Linux"),
  variable("Address", "The IP address; a dash if it is not known.", "192.0.2.7", { valueKind: "host" }),
  variable("Change", "What it is about: the kind of factor, the new address or number, the app.", "authenticator app", {
    isName: true,
    valueKind: "mailbox",
  }),
];

/**
 * Defines a type of notice.
 * @param slug of a type that is sent by mail, without a code, after an event
 * @param isDisownable whether the user can report that it was not them
 */
export function noticeType<const Slug extends string>(slug: Slug, isDisownable = true): MessageDefinition<Slug> {
  return messageType<Slug, NoticeFacts>({
    slug,
    purpose: "security",
    channel: "mail",
    variables: VARIABLES,
    given: ["LastEmail", "VerifiedEmail"],
    landsOn: "/account/security",
    notice: { isDisownable },
    values({ at, device, address, change, factor }, reader) {
      // A trial has samples instead of an occasion.
      if (at === undefined) return {};
      return {
        When: reader.time(at),
        Device: device ?? UNKNOWN,
        Address: address ?? UNKNOWN,
        Change: factor === undefined ? (change ?? UNKNOWN) : reader.factor(factor),
      };
    },
  });
}
