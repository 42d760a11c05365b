// What can be done about an invitation that was not accepted yet: mail it again, or take it back.
import { useTranslations } from "next-intl";
import { ActionButton } from "../action-button";
import { ConfirmButton } from "../confirm-button";
import { CreateInviteCode, RevokeInviteCode } from "../generated/operations";

export interface InvitationButtonsProps {
  userId: string;
  name: string;
  /** In a row of a list, where it is clear what is meant. */
  isInRow?: boolean;
  /** Whether there is one to take back; by default there is. */
  isInvited?: boolean;
}

export function InvitationButtons({ userId, name, isInRow = false, isInvited = true }: InvitationButtonsProps) {
  const t = useTranslations();
  const at = { userId };
  return (
    <div className="buttons">
      <ActionButton
        id={isInRow ? `resend-${userId}` : "send-invitation"}
        label={isInRow ? t("directory.resendInvitation") : t("directory.sendInvitation")}
        operation={CreateInviteCode}
        at={at}
        body={{ sendCode: {} }}
        done={t("directory.invitationSent")}
      />
      {isInvited && (
        <ConfirmButton
          id={isInRow ? `revoke-${userId}` : "revoke-invitation"}
          triggerLook="plain"
          label={isInRow ? t("directory.revoke") : t("directory.revokeInvitation")}
          title={t("directory.revokeInvitationTitle", { name })}
          text={<p>{t("directory.revokeInvitationText")}</p>}
          operation={RevokeInviteCode}
          at={at}
          done={t("directory.revoked")}
        />
      )}
    </div>
  );
}
