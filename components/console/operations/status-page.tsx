// The state of the service: the running version, the queue of emails, the number of stored objects and their size. The
// size of each table is in `admin doctor`.
import { useFormatter, useTranslations } from "next-intl";
import { pageAddress } from "../../../shared/pages";
import { withQuery } from "../lists/pager";
import { Facts } from "../parts/facts";
import { Moment } from "../parts/moment";
import { Charts } from "./charts";
import { type InstanceStatistics, recentlyFailed } from "./statistics";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function StatusPage({ statistics }: { statistics: InstanceStatistics }) {
  const t = useTranslations();
  const format = useFormatter();
  const { counts, storage, service } = statistics;
  const size = (bytes: number) => {
    const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
    return format.number(bytes / 1000 ** power, {
      style: "unit",
      unit: UNITS[power],
      unitDisplay: power === 0 ? "long" : "short", // "374 bytes", not "374 byte"
      maximumFractionDigits: power === 0 ? 0 : 1,
    });
  };
  const queued = statistics.mail.reduce((total, day) => total + day.queued, 0);
  const held = Object.entries(counts).map(
    ([name, count]) => [t(`operations.by.count.${name}`), format.number(count)] as const,
  );
  return (
    <>
      <h1>{t("pages.status")}</h1>
      {service && (
        <section aria-labelledby="service" className="section">
          <h2 id="service">{t("operations.service")}</h2>
          <Facts
            facts={[
              [t("operations.version"), service.version],
              [t("operations.runtime"), service.runtime],
              [t("operations.database"), t(`operations.by.database.${service.database}`)],
              [t("operations.workers"), format.number(service.workers)],
              [t("operations.migrations"), format.number(service.migrations.applied)],
              [t("operations.lastMigration"), <code key="last">{service.migrations.last}</code>],
              [
                t("operations.freeDisk"),
                service.disk &&
                  t("operations.freeOf", { free: size(service.disk.freeBytes), all: size(service.disk.sizeBytes) }),
              ],
              [
                t("operations.certificateExpires"),
                service.certificateExpirationDate && <Moment at={Date.parse(service.certificateExpirationDate)} />,
              ],
              [
                t("operations.nextKeyRotation"),
                service.nextKeyRotationDate && (
                  <a key="rotation" href="/console/keys">
                    <Moment at={Date.parse(service.nextKeyRotationDate)} />
                  </a>
                ),
              ],
              [t("overview.expiringSecrets"), format.number(statistics.attention.expiringCredentials)],
              [
                t("operations.queuedEmails"),
                <a key="queued" href="/console/mail/all?state=queued">
                  {format.number(queued)}
                </a>,
              ],
              ...recentlyFailed(statistics).map(({ channel, label, count, query }) => {
                const log = withQuery(pageAddress("instance_mails", ""), query);
                return [
                  t(label),
                  <a key={channel} href={log}>
                    {format.number(count)}
                  </a>,
                ] as const;
              }),
            ]}
          />
        </section>
      )}
      <Facts facts={held} />
      {storage && (
        <section aria-labelledby="storage" className="section">
          <h2 id="storage">{t("operations.storage")}</h2>
          <Facts
            facts={[
              [t("operations.inTotal"), size(storage.bytes)],
              [t("operations.bytesPerSession"), storage.bytesPerSession !== undefined && size(storage.bytesPerSession)],
              [t("operations.bytesPerEvent"), storage.bytesPerEvent !== undefined && size(storage.bytesPerEvent)],
              [t("operations.bytesPerMessage"), storage.bytesPerMessage !== undefined && size(storage.bytesPerMessage)],
            ]}
          />
        </section>
      )}
      <Charts {...statistics} />
    </>
  );
}
