/** The types of messages that the service sends, in the order in which lists show them. */

import { accountDisowned } from "./account-disowned";
import { accountExists } from "./account-exists";
import { accountLocked } from "./account-locked";
import { appConsent } from "./app-consent";
import type { MessageDefinition } from "./definition";
import { domainclaimed } from "./domainclaimed";
import { emailChanged } from "./email-changed";
import { factorAdded } from "./factor-added";
import { factorRemoved } from "./factor-removed";
import { init } from "./init";
import { inviteUser } from "./invite-user";
import { newDevice } from "./new-device";
import { passwordChange } from "./password-change";
import { passwordlessRegistration } from "./passwordless-registration";
import { passwordreset } from "./passwordreset";
import { phoneChanged } from "./phone-changed";
import { recoveryCodesUsed } from "./recovery-codes-used";
import { verifyemail } from "./verifyemail";
import { verifyemailotp } from "./verifyemailotp";
import { verifyphone } from "./verifyphone";
import { verifysmsotp } from "./verifysmsotp";

const definitions = [
  init,
  passwordreset,
  verifyemail,
  verifyphone,
  verifysmsotp,
  verifyemailotp,
  domainclaimed,
  passwordlessRegistration,
  passwordChange,
  inviteUser,
  factorAdded,
  factorRemoved,
  emailChanged,
  phoneChanged,
  newDevice,
  accountLocked,
  recoveryCodesUsed,
  appConsent,
  accountDisowned,
  accountExists,
] as const;

/** The name of a type, as used in addresses and in the bootstrap file. */
export type MessageType = (typeof definitions)[number]["slug"];

export const MESSAGE_TYPES: readonly MessageType[] = definitions.map(({ slug }) => slug);

const table: ReadonlyMap<string, MessageDefinition> = new Map(
  definitions.map((definition) => [definition.slug, definition]),
);

export function definitionOf(type: MessageType): MessageDefinition {
  const definition = table.get(type);
  if (!definition) throw new Error(`there is no message type ${type}`);
  return definition;
}

export function isMessageType(name: string): name is MessageType {
  return table.has(name);
}
