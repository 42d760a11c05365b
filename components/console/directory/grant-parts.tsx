// The columns that the lists of a user's grants and of a project's grants share.
import { useTranslations } from "next-intl";
import { DeactivateUserGrant, ReactivateUserGrant, RemoveUserGrant } from "../../../shared/generated/operations";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import type { Column } from "../lists/table";
import type { UserGrant } from "./grant";

const isActive = ({ state }: UserGrant): boolean => state === "USER_GRANT_STATE_ACTIVE";

/** Returns the columns with the roles and, for grants that do not apply, the state. */
export function useGrantColumns(): Column<UserGrant>[] {
  const t = useTranslations();
  return [
    {
      id: "roles",
      label: t("directory.roles"),
      size: "text",
      title: ({ roleKeys }) => roleKeys.join(" "),
      cell: ({ roleKeys }) => roleKeys.map((key) => <code key={key}>{`${key} `}</code>),
    },
    {
      id: "state",
      label: t("directory.state"),
      isBadge: true,
      cell: (grant) => !isActive(grant) && <span className="state bad">{t("directory.by.state.inactive")}</span>,
    },
  ];
}

/**
 * The buttons of a grant.
 * @param name the name of the user with the grant
 */
export function GrantButtons({ grant, name, may }: { grant: UserGrant; name: string; may: GrantPermissions }) {
  const t = useTranslations();
  const { id, userId, projectName } = grant;
  const at = { userId, grantId: id };
  return (
    <div className="buttons">
      {may.write && (
        <ActionButton
          id={`turn-${id}`}
          label={isActive(grant) ? t("directory.deactivate") : t("directory.reactivate")}
          operation={isActive(grant) ? DeactivateUserGrant : ReactivateUserGrant}
          at={at}
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
          operation={RemoveUserGrant}
          at={at}
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
