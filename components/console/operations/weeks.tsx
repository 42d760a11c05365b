// Compares the sign-ins of the last seven days with those of the seven days before.
import { useFormatter, useTranslations } from "next-intl";
import { Table } from "../lists/table";
import type { Statistics } from "./statistics";

const WEEK = 7;

interface Row {
  name: "count" | "failed";
  now: number;
  before: number;
}

export function Weeks({ signIns }: Pick<Statistics, "signIns">) {
  const t = useTranslations();
  const format = useFormatter();
  const sum = (days: Statistics["signIns"], name: "count" | "failed") =>
    days.reduce((total, day) => total + day[name], 0);
  const weeksOf = (name: "count" | "failed"): Row => ({
    name,
    now: sum(signIns.slice(-WEEK), name),
    before: sum(signIns.slice(-2 * WEEK, -WEEK), name),
  });
  const change = ({ now, before }: Row) =>
    before === 0
      ? "–"
      : format.number(now / before - 1, { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 });
  return (
    <Table
      caption={t("operations.signIns")}
      rows={[weeksOf("count"), weeksOf("failed")]}
      keyOf={({ name }) => name}
      columns={[
        {
          id: "what",
          label: t("operations.signIns"),
          size: "lines",
          isQuiet: true,
          cell: ({ name }) => (
            <strong>{name === "count" ? t("operations.signedInCount") : t("operations.failedCount")}</strong>
          ),
        },
        { id: "now", label: t("operations.lastWeek"), cell: ({ now }) => format.number(now) },
        { id: "before", label: t("operations.weekBefore"), cell: ({ before }) => format.number(before) },
        { id: "change", label: t("operations.change"), cell: change },
      ]}
      empty={null}
    />
  );
}
