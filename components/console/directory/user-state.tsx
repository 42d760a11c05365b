// Whether a user can sign in, shown by text as well as by colour.
import { useTranslations } from "next-intl";
import { Moment } from "../parts/moment";
import { hasPassword, type User, userStateOf } from "./user";

const LOOK = { active: "state good", inactive: "state bad", locked: "state bad" } as const;

/**
 * The label.
 * @param isInList whether to show the end of the invitation instead of "no password yet"
 */
export function UserStateLabel({ user, isInList = false }: { user: User; isInList?: boolean }) {
  const t = useTranslations();
  const state = userStateOf(user);
  const invitation = user.human?.invitation;
  if (isInList && invitation && state === "active") return <Invitation until={invitation.expirationDate} />;
  return (
    <>
      <span className={LOOK[state]}>{t(`directory.by.userState.${state}`)}</span>{" "}
      {user.human && !hasPassword(user) && <span className="state">{t("directory.noPasswordYet")}</span>}
    </>
  );
}

function Invitation({ until }: { until: string | undefined }) {
  const t = useTranslations();
  const at = until === undefined ? 0 : Date.parse(until);
  if (at <= Date.now()) return <span className="state bad">{t("directory.invitationExpired")}</span>;
  return (
    <>
      <span className="state">{t("directory.by.userState.invited")}</span>
      <p className="quiet">
        {t("directory.invitationExpires")} <Moment at={at} />
      </p>
    </>
  );
}
