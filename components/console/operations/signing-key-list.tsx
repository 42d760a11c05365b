// The keys that sign tokens, by algorithm: the active one, the one on standby, and those that stay published until
// their last token has expired.

import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import { Table } from "../lists/table";
import { CopyValue } from "../parts/copy-value";
import { KeyMenu, RotateKey } from "./key-actions";
import { inSteadyOrder } from "./key-order";

export interface SigningKeyListProps {
  keys: readonly Schemas["WebKey"][];
  jwksUrl: string;
  mayRotate: boolean;
  mayRemove: boolean;
}

const LOOK = { STATE_INITIAL: "state", STATE_ACTIVE: "state good", STATE_INACTIVE: "state" } as const;

export function SigningKeyList({ keys, jwksUrl, mayRotate, mayRemove }: SigningKeyListProps) {
  const t = useTranslations();
  const rows = inSteadyOrder(keys);
  /** The first row of an algorithm is its active key, if it has one. */
  const isFirst = (key: Schemas["WebKey"]) => rows.find(({ algorithm }) => algorithm === key.algorithm) === key;
  return (
    <>
      <h1>{t("pages.keys")}</h1>
      <p className="lead">{t("operations.keysLead")}</p>
      <CopyValue value={jwksUrl} label={t("operations.keySet")} />
      <Table
        caption={t("pages.keys")}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<p>{t("operations.noKeys")}</p>}
        columns={[
          {
            id: "algorithm",
            label: t("operations.algorithm"),
            size: "fit",
            isPlain: true,
            cell: ({ algorithm }) => algorithm,
          },
          {
            id: "state",
            label: t("operations.state"),
            isBadge: true,
            cell: ({ state }) => <span className={LOOK[state]}>{t(`operations.by.keyState.${state}`)}</span>,
          },
          {
            id: "id",
            label: t("operations.keyId"),
            size: "text",
            title: ({ id }) => id,
            cell: ({ id }) => <code>{id}</code>,
          },
          { id: "created", label: t("operations.created"), date: ({ creationDate }) => creationDate },
          { id: "signs", label: t("operations.signsFrom"), date: ({ activationDate }) => activationDate },
          { id: "leaves", label: t("operations.publishedUntil"), date: ({ removalDate }) => removalDate },
        ]}
        actions={(key) => (
          <div className="row-actions">
            {mayRotate && isFirst(key) && <RotateKey algorithm={key.algorithm} />}
            {mayRemove && <KeyMenu kid={key.id} />}
          </div>
        )}
      />
    </>
  );
}
