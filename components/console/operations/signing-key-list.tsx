// The keys that sign tokens: the current one, the next one, and those that stay published until their last token has
// expired.

import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import { DeleteWebKey, RotateWebKey } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Table } from "../lists/table";
import { CopyValue } from "../parts/copy-value";
import { Moment } from "../parts/moment";

export type WebKey = Schemas["WebKey"];

export interface SigningKeyListProps {
  keys: readonly WebKey[];
  jwksUrl: string;
  mayRotate: boolean;
  mayRemove: boolean;
}

const LOOK = { STATE_INITIAL: "state", STATE_ACTIVE: "state good", STATE_INACTIVE: "state" } as const;

export function SigningKeyList({ keys, jwksUrl, mayRotate, mayRemove }: SigningKeyListProps) {
  const t = useTranslations();
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  const moment = (date: string | undefined) => date && <Moment at={Date.parse(date)} />;
  return (
    <>
      <div className="head">
        <h1>{t("pages.keys")}</h1>
        {mayRotate && (
          <div className="buttons">
            {algorithms.map((algorithm) => (
              <ConfirmButton
                key={algorithm}
                id={`rotate-${algorithm}`}
                look="primary"
                label={t("operations.rotate", { algorithm })}
                title={t("operations.rotateTitle", { algorithm })}
                text={<p>{t("operations.rotateText")}</p>}
                operation={RotateWebKey}
                body={{ algorithm }}
                done={t("operations.rotated")}
              />
            ))}
          </div>
        )}
      </div>
      <p className="lead">{t("operations.keysLead")}</p>
      <CopyValue value={jwksUrl} label={t("operations.keySet")} />
      <Table
        caption={t("pages.keys")}
        rows={keys}
        keyOf={({ id }) => id}
        empty={<p>{t("operations.noKeys")}</p>}
        columns={[
          { id: "id", label: t("operations.keyId"), cell: ({ id }) => <code>{id}</code> },
          { id: "algorithm", label: t("operations.algorithm"), cell: ({ algorithm }) => algorithm },
          {
            id: "state",
            label: t("operations.state"),
            cell: ({ state }) => <span className={LOOK[state]}>{t(`operations.by.keyState.${state}`)}</span>,
          },
          { id: "created", label: t("operations.created"), cell: ({ creationDate }) => moment(creationDate) },
          { id: "signs", label: t("operations.signsFrom"), cell: ({ activationDate }) => moment(activationDate) },
          { id: "leaves", label: t("operations.publishedUntil"), cell: ({ removalDate }) => moment(removalDate) },
          {
            id: "actions",
            label: t("operations.actions"),
            isQuiet: true,
            cell: ({ id }) =>
              mayRemove && (
                <ConfirmButton
                  id={`remove-${id}`}
                  label={t("operations.removeKey")}
                  title={t("operations.removeKeyTitle", { id })}
                  text={
                    <ul className="bullets">
                      <li>{t("operations.removeKeyTokens")}</li>
                      <li>{t("operations.removeKeyApps")}</li>
                      <li>{t("operations.removeKeyInstead")}</li>
                    </ul>
                  }
                  operation={DeleteWebKey}
                  at={{ webKeyId: id }}
                  done={t("operations.removedKey")}
                />
              ),
          },
        ]}
      />
    </>
  );
}
