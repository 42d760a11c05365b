// Whether somebody can sign in, shown by words as well as by colour.
import { useTranslations } from "next-intl";
import { hasPassword, stateOf, type User } from "./user";

const LOOK = { active: "state good", inactive: "state bad", locked: "state bad" } as const;

export function UserStateLabel({ user }: { user: User }) {
  const t = useTranslations();
  const state = stateOf(user);
  return (
    <>
      <span className={LOOK[state]}>{t(`directory.by.userState.${state}`)}</span>{" "}
      {user.human && !hasPassword(user) && <span className="state">{t("directory.noPasswordYet")}</span>}
    </>
  );
}
