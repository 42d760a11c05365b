// The actions for an invitation that is not accepted yet: send it again, or withdraw it.
import { useTranslations } from "next-intl";
import { CreateInviteCode, RevokeInviteCode } from "../../../shared/generated/operations";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";

export interface InvitationButtonsProps {
  userId: string;
  name: string;
  /** Whether the buttons are in a row of a list, where the context is clear. */
  isInRow?: boolean;
  /** Whether there is an invitation to withdraw; defaults to true. */
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
