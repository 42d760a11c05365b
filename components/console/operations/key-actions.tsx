"use client";
// What an administrator can do with a signing key: rotate the one that signs, and revoke one that may have leaked.
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { Schemas } from "../../../server/api/generated/operations";
import { DeleteWebKey, RotateWebKey } from "../../../shared/generated/operations";
import { ConfirmButton, ConfirmFromMenu } from "../dialogs/confirm-button";
import { RowMenu } from "../dialogs/row-menu";
import { useReaderTimeZone } from "../parts/time-zone";

export function RotateKey({ algorithm }: { algorithm: Schemas["WebKey"]["algorithm"] }) {
  const t = useTranslations();
  const format = useFormatter();
  const timeZone = useReaderTimeZone();
  const timeOf = (date: string) => format.dateTime(Date.parse(date), { hour: "numeric", minute: "2-digit", timeZone });
  return (
    <ConfirmButton
      id={`rotate-${algorithm}`}
      look="primary"
      triggerLook="plain"
      label={t("operations.rotate", { algorithm })}
      title={t("operations.rotateTitle", { algorithm })}
      text={<p>{t("operations.rotateText")}</p>}
      operation={RotateWebKey}
      body={{ algorithm }}
      done={({ activationDate }) => t("operations.rotatedFrom", { algorithm, time: timeOf(activationDate) })}
    />
  );
}

export function KeyMenu({ kid }: { kid: string }) {
  const t = useTranslations();
  const [isRevoking, setRevoking] = useState(false);
  const menuId = `actions-${kid}`;
  return (
    <>
      <RowMenu
        id={menuId}
        label={t("operations.actionsOf", { id: kid })}
        actions={[
          { id: `revoke-${kid}`, label: t("operations.revokeKey"), isDanger: true, onChoose: () => setRevoking(true) },
        ]}
      />
      <ConfirmFromMenu
        id={`revoke-${kid}`}
        menuId={menuId}
        isOpen={isRevoking}
        onOpen={setRevoking}
        label={t("operations.revokeKeyNow")}
        title={t("operations.revokeKeyTitle", { id: kid })}
        text={
          <ul className="bullets">
            <li>{t("operations.removeKeyTokens")}</li>
            <li>{t("operations.removeKeyApps")}</li>
            <li>{t("operations.removeKeyInstead")}</li>
          </ul>
        }
        operation={DeleteWebKey}
        at={{ webKeyId: kid }}
        done={t("operations.removedKey")}
      />
    </>
  );
}
