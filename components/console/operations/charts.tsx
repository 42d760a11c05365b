// Charts of the last thirty days: sign-ins, and mails by state.
import { useTranslations } from "next-intl";
import { BarChart } from "../bar-chart";
import type { Statistics } from "./statistics";

export function Charts({ signIns, mail }: Pick<Statistics, "signIns" | "mail">) {
  const t = useTranslations();
  return (
    <div className="charts">
      <div className="card">
        <BarChart
          title={t("operations.signIns")}
          series={[{ name: "count", label: t("operations.signIns") }]}
          days={signIns.map(({ date, count }) => ({ date, counts: { count } }))}
        />
      </div>
      <div className="card">
        <BarChart
          title={t("operations.mails")}
          series={[
            { name: "delivered", label: t("operations.delivered") },
            { name: "lost", label: t("operations.undelivered") },
            { name: "queued", label: t("operations.waiting") },
          ]}
          days={mail.map(({ date, queued, sent, kept, failed, expired }) => ({
            date,
            counts: { delivered: sent + kept, lost: failed + expired, queued },
          }))}
        />
      </div>
    </div>
  );
}
