// One user or machine: name, state, actions, and views of what belongs to it.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DeactivateUser, LockUser, ReactivateUser, RemoveUser, UnlockUser } from "../../../shared/generated/operations";
import { type ConsolePage, pageAddress } from "../../../shared/pages";
import { LoginName, Name } from "../../ui/user-text";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Views } from "../parts/views";
import { nameOf, type User, userStateOf } from "./user";
import { UserStateLabel } from "./user-state";

export interface UserPageProps {
  user: User;
  page: ConsolePage;
  organizationId: string;
  views: readonly string[];
  view: string;
  mayWrite: boolean;
  mayDelete: boolean;
  /** Whether the user is the visitor; visitors must not lock themselves out. */
  isSelf: boolean;
  children: ReactNode;
}

export function UserPage(props: UserPageProps) {
  const { user, page, organizationId, views, view, mayWrite, mayDelete, isSelf, children } = props;
  const t = useTranslations();
  const list = pageAddress(page, organizationId);
  const here = `${list}/${encodeURIComponent(user.id)}`;
  return (
    <>
      <p className="back">
        <a href={list}>{t(`pages.${page}`)}</a>
      </p>
      <div className="head">
        <div>
          <h1>
            <Name>{nameOf(user)}</Name>
          </h1>
          <p className="quiet">
            <LoginName>{user.preferredLoginName}</LoginName> <UserStateLabel user={user} />
          </p>
        </div>
        <div className="buttons">
          {mayWrite && !isSelf && <StateButtons user={user} />}
          {mayDelete && !isSelf && (
            <ConfirmButton
              id="delete-user"
              label={t("directory.delete")}
              title={t("directory.deleteTitle", { name: nameOf(user) })}
              text={<p>{t("directory.deleteUser")}</p>}
              operation={RemoveUser}
              at={{ userId: user.id }}
              then={list}
            />
          )}
        </div>
      </div>
      <Views
        view={view}
        views={views.map((name) => ({ name, label: t(`directory.by.view.${name}`), href: `${here}?view=${name}` }))}
      />
      {children}
    </>
  );
}

/**
 * Buttons to lock a user, which is temporary, or to deactivate it, which is permanent; both end sessions and tokens.
 */
function StateButtons({ user }: { user: User }) {
  const t = useTranslations();
  const at = { userId: user.id };
  const state = userStateOf(user);
  const again = { at, body: {}, done: t("directory.canSignIn") };
  if (state === "locked") {
    return <ActionButton {...again} id="unlock-user" label={t("directory.unlock")} operation={UnlockUser} />;
  }
  if (state === "inactive") {
    return (
      <ActionButton {...again} id="reactivate-user" label={t("directory.reactivate")} operation={ReactivateUser} />
    );
  }
  const name = nameOf(user);
  return (
    <>
      <ConfirmButton
        id="lock-user"
        label={t("directory.lock")}
        title={t("directory.lockTitle", { name })}
        text={<p>{t("directory.lockUser")}</p>}
        operation={LockUser}
        at={at}
        body={{}}
        done={t("directory.locked")}
        triggerLook="plain"
      />
      <ConfirmButton
        id="deactivate-user"
        label={t("directory.deactivate")}
        title={t("directory.deactivateTitle", { name })}
        text={<p>{t("directory.deactivateUser")}</p>}
        operation={DeactivateUser}
        at={at}
        body={{}}
        done={t("directory.deactivatedUser")}
        triggerLook="plain"
      />
    </>
  );
}
