// Whether users of an organization can sign in, shown by text as well as by colour.
import { useTranslations } from "next-intl";
import type { Organization } from "./organization";

export function OrganizationState({ state }: { state: Organization["state"] }) {
  const t = useTranslations();
  const isActive = state === "ORG_STATE_ACTIVE";
  return (
    <span className={isActive ? "state good" : "state bad"}>
      {t(`directory.by.state.${isActive ? "active" : "inactive"}`)}
    </span>
  );
}
