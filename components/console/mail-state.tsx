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

/** All states, as the list is filtered by them. */
export const MAIL_STATES = Object.keys(LOOK) as ListedMail["state"][];

export function MailState({ state }: { state: ListedMail["state"] }) {
  const t = useTranslations();
  return <span className={LOOK[state]}>{t(`states.${state}`)}</span>;
}

/** The name of a message's type; a general one for types that this version does not know. */
export function useMailType(): (type: string) => string {
  const t = useTranslations();
  return (type) => (t.has(`types.${type}`) ? t(`types.${type}`) : t("types.other"));
}
