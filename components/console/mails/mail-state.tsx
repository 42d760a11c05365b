// The state of a mail, shown by text as well as by colour.
import { useTranslations } from "next-intl";
import type { ListedMail } from "../../../server/service/service";

const LOOK: Readonly<Record<ListedMail["state"], string>> = {
  queued: "state",
  sent: "state good",
  kept: "state good",
  failed: "state bad",
  expired: "state bad",
};

/** All states, for the filter of the list. */
export const MAIL_STATES = Object.keys(LOOK) as ListedMail["state"][];

export function MailState({ state }: { state: ListedMail["state"] }) {
  const t = useTranslations();
  return <span className={LOOK[state]}>{t(`states.${state}`)}</span>;
}

/**
 * Returns a function that gives the name of a message type; a general name for types that this version does not know.
 */
export function useMailType(): (type: string) => string {
  const t = useTranslations();
  return (type) => (t.has(`types.${type}`) ? t(`types.${type}`) : t("types.other"));
}
