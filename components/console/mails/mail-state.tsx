// The state of a mail, shown by text as well as by colour.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";

export type MailRow = AnswerOf<"ListMessages">["messages"][number];

type State = MailRow["state"];

const LOOK: Readonly<Record<State, string>> = {
  queued: "state",
  sent: "state good",
  kept: "state good",
  failed: "state bad",
  expired: "state bad",
};

/** All states, for the filter of the list. */
export const MAIL_STATES = Object.keys(LOOK) as State[];

/** The ways in which messages are sent, for the filter of the list. */
export const MAIL_CHANNELS = ["email", "sms", "webhook"] as const satisfies readonly MailRow["channel"][];

/** States that need no attention; in a list they are not marked. */
const ORDINARY: ReadonlySet<State> = new Set(["sent", "kept"]);

export function MailState({ state, isInList = false }: { state: State; isInList?: boolean }) {
  const t = useTranslations();
  return <span className={isInList && ORDINARY.has(state) ? "quiet" : LOOK[state]}>{t(`states.${state}`)}</span>;
}

/**
 * Returns a function that gives the name of a message type; a general name for types that this version does not know.
 */
export function useMailType(): (type: string) => string {
  const t = useTranslations();
  return (type) => (t.has(`types.${type}`) ? t(`types.${type}`) : t("types.other"));
}
