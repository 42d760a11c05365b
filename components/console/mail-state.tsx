// The state of a mail, shown by words as well as by colour.
import { useTranslations } from "next-intl";
import type { ListedMail } from "../../server/service/service";

const LOOK: Readonly<Record<ListedMail["state"], string>> = {
  queued: "state",
  sent: "state good",
  kept: "state good",
  failed: "state bad",
  expired: "state bad",
};

export function MailState({ state }: { state: ListedMail["state"] }) {
  const t = useTranslations();
  return <span className={LOOK[state]}>{t(`states.${state}`)}</span>;
}

const TYPES = [
  "init",
  "passwordreset",
  "verifyemail",
  "verifyphone",
  "verifysmsotp",
  "verifyemailotp",
  "domainclaimed",
  "passwordless_registration",
  "password_change",
  "invite_user",
];

/** The key of a message type's name. */
export const mailType = (type: string): string => (TYPES.includes(type) ? type : "other");
