// The columns that the lists of both sides of project grants have in common.
import { useTranslations } from "next-intl";
import type { GrantedProject } from "./project";

export const isActive = ({ state }: GrantedProject): boolean => state === "PROJECT_GRANT_STATE_ACTIVE";

export function GrantedRoleList({ grant: { grantedRoleKeys } }: { grant: GrantedProject }) {
  return grantedRoleKeys.map((key) => <code key={key}>{`${key} `}</code>);
}

export function GrantedState({ grant }: { grant: GrantedProject }) {
  const t = useTranslations();
  return (
    <span className={isActive(grant) ? "state good" : "state bad"}>
      {isActive(grant) ? t("apps.active") : t("apps.inactive")}
    </span>
  );
}
