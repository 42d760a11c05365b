// Charts of the last thirty days: sign-ins and failed attempts, by week and by app, and mails by state.
import { useTranslations } from "next-intl";
import { BarChart } from "../parts/bar-chart";
import { AppBars } from "./app-bars";
import type { Statistics } from "./statistics";
import { Weeks } from "./weeks";

export function Charts({ signIns, apps, mail }: Pick<Statistics, "signIns" | "apps" | "mail">) {
  const t = useTranslations();
  return (
    <div className="charts">
      <div className="card">
        <BarChart
          title={t("operations.signIns")}
          series={[
            { name: "count", label: t("operations.signedInCount") },
            { name: "failed", label: t("operations.failedCount") },
          ]}
          days={signIns.map(({ date, count, failed }) => ({ date, counts: { count, failed } }))}
        />
        <Weeks signIns={signIns} />
      </div>
      {apps.length > 0 && (
        <div className="card">
          <AppBars apps={apps} />
        </div>
      )}
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
