// Whether a user can sign in, shown by text as well as by colour.
import { useTranslations } from "next-intl";
import { Ago } from "../parts/moment";
import { hasPassword, type User, userStateOf } from "./user";

const LOOK = { active: "state good", inactive: "state bad", locked: "state bad" } as const;

/**
 * The label.
 * @param isInList whether to show only what differs from most users, and the end of an invitation
 */
export function UserStateLabel({ user, isInList = false }: { user: User; isInList?: boolean }) {
  const t = useTranslations();
  const state = userStateOf(user);
  const invitation = user.human?.invitation;
  if (isInList && invitation && state === "active") return <Invitation until={invitation.expirationDate} />;
  const lacksPassword = user.human !== undefined && !hasPassword(user);
  if (isInList && state === "active" && !lacksPassword) return null;
  return (
    <>
      {!(isInList && state === "active") && <span className={LOOK[state]}>{t(`directory.by.userState.${state}`)}</span>}{" "}
      {lacksPassword && <span className="state">{t("directory.noPasswordYet")}</span>}
    </>
  );
}

function Invitation({ until }: { until: string | undefined }) {
  const t = useTranslations();
  const at = until === undefined ? 0 : Date.parse(until);
  if (at <= Date.now()) return <span className="state bad">{t("directory.invitationExpired")}</span>;
  return (
    <>
      <span className="state">{t("directory.by.userState.invited")}</span>{" "}
      <span className="quiet">
        <span className="hidden">{t("directory.invitationExpires")}</span> <Ago at={at} />
      </span>
    </>
  );
}
