"use client";
// The actions for the selected users. Each user is changed separately, so the bar then lists the users whose change was
// refused, and why; they stay selected.
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  BulkDeactivateUsers,
  BulkGiveRoles,
  BulkReactivateUsers,
  BulkRemoveUsers,
  BulkRevokeInvitations,
  BulkSendInvitations,
  BulkUnlockUsers,
} from "../../../shared/generated/operations";
import type { Answer, Refusal } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { Problems } from "../calls/problems";
import { useRefresh } from "../calls/refresh";
import { useRefusalText } from "../calls/refusal-text";
import { Button } from "../parts/button";
import { useServerTexts } from "../parts/server-texts";
import { BulkConfirm, BulkRoles } from "./bulk-dialogs";
import { type BulkDone, type BulkRequest, changeInEach } from "./bulk-each";
import type { BulkMay } from "./bulk-may";
import { useSelection } from "./user-selection";

type Perform = (request: BulkRequest) => Promise<Answer<BulkDone>>;

/** @param isPending whether the list is that of pending invitations */
export function BulkBar({ may, isPending }: { may: BulkMay; isPending: boolean }) {
  const t = useTranslations();
  const { people, chosen, choose } = useSelection();
  const refusalText = useRefusalText();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<BulkDone>();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [refusal, setRefusal] = useState<Refusal>();
  const count = chosen.length;
  const text = useServerTexts(String(count));
  // Roles belong to the projects of one organization.
  const [only, ...others] = new Set(chosen.map(({ organizationId }) => organizationId));
  const ofRoles = others.length === 0 ? only : undefined;

  const run = async (perform: Perform) => {
    if (isBusy || count === 0) return;
    setBusy(true);
    setNames(new Map(people.map(({ id, name }) => [id, name])));
    const outcome = await changeInEach(chosen, perform);
    setBusy(false);
    setRefusal(outcome.refusal);
    setDone(outcome.done);
    if (!outcome.done) return;
    // Users selected during the request stay selected.
    const asked = new Set(chosen.map(({ id }) => id));
    choose((now) => now.filter((id) => !asked.has(id) || outcome.left.includes(id)));
    refresh();
  };
  const button = (id: string, label: string, perform: Perform) => (
    <Button id={id} label={label} isDisabled={isBusy} onClick={() => void run(perform)} />
  );
  const refused = done?.results.filter(({ error }) => error) ?? [];
  return (
    <section className="bulk" aria-label={text(() => t("directory.selected", { count }))} suppressHydrationWarning>
      {count > 0 && (
        <div className="bulk-bar">
          <p>{t("directory.selected", { count })}</p>
          <div className="buttons">
            {may.write && isPending && (
              <>
                {button("bulk-resend", t("directory.resendInvitation"), (request) =>
                  callOperation(BulkSendInvitations, request),
                )}
                {button("bulk-revoke", t("directory.revoke"), (request) =>
                  callOperation(BulkRevokeInvitations, request),
                )}
              </>
            )}
            {may.grant && ofRoles !== undefined && (
              <BulkRoles
                key={ofRoles}
                organizationId={ofRoles}
                title={t("directory.giveRolesMany", { count })}
                give={(roles) =>
                  run(({ organizationId, body }) =>
                    callOperation(BulkGiveRoles, { organizationId, body: { ...body, ...roles } }),
                  )
                }
              />
            )}
            {may.write && !isPending && (
              <>
                {button("bulk-invite", t("directory.sendInvitation"), (request) =>
                  callOperation(BulkSendInvitations, request),
                )}
                {button("bulk-unlock", t("directory.unlock"), (request) => callOperation(BulkUnlockUsers, request))}
                {button("bulk-reactivate", t("directory.reactivate"), (request) =>
                  callOperation(BulkReactivateUsers, request),
                )}
                <BulkConfirm
                  id="bulk-deactivate"
                  label={t("directory.deactivate")}
                  title={t("directory.deactivateMany", { count })}
                  text={t("directory.deactivateUser")}
                  people={chosen}
                  act={() => run((request) => callOperation(BulkDeactivateUsers, request))}
                />
              </>
            )}
            {may.delete && (
              <BulkConfirm
                id="bulk-delete"
                label={t("directory.delete")}
                title={t("directory.deleteMany", { count })}
                text={t("directory.deleteUser")}
                people={chosen}
                act={() => run((request) => callOperation(BulkRemoveUsers, request))}
              />
            )}
            <Button id="bulk-clear" look="plain" label={t("directory.clearSelection")} onClick={() => choose([])} />
          </div>
        </div>
      )}
      <Problems refusal={refusal} />
      <div role="status">
        {done && (
          <p className={refused.length > 0 ? undefined : "banner"}>
            {t("directory.doneMany", { count: done.changed })}
          </p>
        )}
        {refused.length > 0 && (
          <div className="problem">
            <p>{t("directory.refusedMany", { count: refused.length })}</p>
            <ul>
              {refused.map(({ userId, error }) => (
                <li key={userId}>
                  <bdi>{names.get(userId) ?? userId}</bdi>: {error && refusalText(error)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}
