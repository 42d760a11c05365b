// The columns that the lists of a user's grants and of a project's grants have in common.
import { useTranslations } from "next-intl";
import { ActionButton } from "../action-button";
import { ConfirmButton } from "../confirm-button";
import type { UserGrant } from "./grant";

export const grantsPath = (userId: string): string => `/management/v1/users/${encodeURIComponent(userId)}/grants`;

const isActive = ({ state }: UserGrant): boolean => state === "USER_GRANT_STATE_ACTIVE";

export function GrantRoles({ grant: { roleKeys } }: { grant: UserGrant }) {
  return roleKeys.map((key) => <code key={key}>{`${key} `}</code>);
}

export function GrantState({ grant }: { grant: UserGrant }) {
  const t = useTranslations();
  return (
    <span className={isActive(grant) ? "state good" : "state bad"}>
      {t(`directory.by.state.${isActive(grant) ? "active" : "inactive"}`)}
    </span>
  );
}

/** @param name of the user with the grant */
export function GrantButtons({ grant, name, may }: { grant: UserGrant; name: string; may: GrantPermissions }) {
  const t = useTranslations();
  const { id, userId, projectName } = grant;
  const one = `${grantsPath(userId)}/${encodeURIComponent(id)}`;
  return (
    <div className="buttons">
      {may.write && (
        <ActionButton
          id={`turn-${id}`}
          label={isActive(grant) ? t("directory.deactivate") : t("directory.reactivate")}
          method="POST"
          path={`${one}/${isActive(grant) ? "_deactivate" : "_reactivate"}`}
          body={{}}
          done={t("directory.saved")}
        />
      )}
      {may.delete && (
        <ConfirmButton
          id={`remove-${id}`}
          label={t("directory.remove")}
          title={t("directory.removeGrantTitle", { name, project: projectName })}
          text={<p>{t("directory.removeGrantText")}</p>}
          method="DELETE"
          path={one}
          done={t("directory.removed")}
        />
      )}
    </div>
  );
}

export interface GrantPermissions {
  write: boolean;
  delete: boolean;
}
