// The actions of the user's and the app's page with which an administrator can repair the cause of a failed attempt.
import { useTranslations } from "next-intl";
import {
  ReactivateUser,
  ResendHumanInitialization,
  SendHumanResetPasswordNotification,
  UnlockUser,
} from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import type { App } from "../apps/app";
import { TrustAddress } from "../apps/trust-address";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { appAddress, type SignInAttempt } from "./attempt";

export interface RepairProps {
  attempt: SignInAttempt;
  /** Whether the visitor may change users. */
  mayWriteUsers: boolean;
  /** The app whose page is shown, if the visitor may change it. */
  app?: App;
}

export function Repair({ attempt, mayWriteUsers, app }: RepairProps) {
  const { reason, userId, organizationId } = attempt;
  if (reason === "redirect_uri_refused") {
    return (
      <div className="repair">
        <AddAddress attempt={attempt} app={app} />
      </div>
    );
  }
  if (userId === undefined || organizationId === undefined || !mayWriteUsers) return null;
  return (
    <div className="repair">
      <RepairPerson attempt={attempt} userId={userId} organizationId={organizationId} />
    </div>
  );
}

interface PersonProps {
  attempt: SignInAttempt;
  userId: string;
  organizationId: string;
}

function RepairPerson({ attempt: { id, reason, displayName }, userId, organizationId }: PersonProps) {
  const t = useTranslations();
  const page = `${pageAddress("users", organizationId)}/${encodeURIComponent(userId)}`;
  const act = { at: { userId }, organizationId, body: {} };
  switch (reason) {
    case "throttled":
    case "locked_out":
    case "user_locked": {
      const button = { id: `unlock-${id}`, label: t("directory.unlock"), done: t("directory.canSignIn") };
      return <ActionButton {...act} {...button} operation={UnlockUser} />;
    }
    case "user_inactive": {
      const button = { id: `reactivate-${id}`, label: t("directory.reactivate"), done: t("directory.canSignIn") };
      return <ActionButton {...act} {...button} operation={ReactivateUser} />;
    }
    case "no_password": {
      const button = { id: `init-${id}`, label: t("directory.resendInit"), done: t("directory.mailQueued") };
      return <ActionButton {...act} {...button} operation={ResendHumanInitialization} />;
    }
    case "wrong_password":
      return (
        <ConfirmButton
          {...act}
          id={`reset-${id}`}
          look="primary"
          triggerLook="plain"
          label={t("directory.resetPassword")}
          title={t("directory.resetPasswordTitle", { name: displayName ?? userId })}
          text={<p>{t("directory.resetPasswordText")}</p>}
          operation={SendHumanResetPasswordNotification}
          done={t("directory.mailQueued")}
        />
      );
    case "factor_failed":
    case "factor_throttled":
    case "code_expired":
    case "passkey_failed":
      return <a href={`${page}?view=security#factors`}>{t("attempts.seeFactors")}</a>;
    case "no_role":
      return <a href={`${page}?view=grants`}>{t("directory.by.view.grants")}</a>;
    case "password_not_allowed":
      return <a href={pageAddress("policies", organizationId)}>{t("pages.policies")}</a>;
    case "organization_inactive":
      return <a href={pageAddress("organization", organizationId)}>{t("pages.organization")}</a>;
    default:
      return null;
  }
}

/** Registers the rejected address. Strangers can cause such requests, so the address is shown and must be confirmed. */
function AddAddress({ attempt, app }: Pick<RepairProps, "attempt" | "app">) {
  const t = useTranslations();
  const { id, detail } = attempt;
  const settings = app?.oidcConfig;
  if (detail === undefined) return null;
  if (!app || !settings) {
    const page = appAddress(attempt);
    return page === undefined ? null : <a href={page}>{t("attempts.seeApp")}</a>;
  }
  if (settings.redirectUris.includes(detail)) return null;
  return <TrustAddress id={`add-${id}`} app={app} settings={settings} address={detail} />;
}
