// What needs attention today, on the overview of a service that is set up. Each figure leads to its cause.
import { useFormatter, useTranslations } from "next-intl";
import { type ConsolePage, pageAddress } from "../../../shared/pages";
import { withQuery } from "../lists/pager";
import { recentlyFailed, type Statistics } from "./statistics";

export interface AttentionProps {
  statistics: Statistics;
  /** Whether the figures are those of the whole service. */
  isOfService: boolean;
  organizationId: string;
  pages: readonly ConsolePage[];
}

interface Matter {
  id: string;
  label: string;
  count: number;
  detail?: string;
  page: ConsolePage;
  query?: Record<string, string>;
  isGood?: boolean;
}

/** The number of reasons that are listed; the others are behind the link of all failures. */
const REASONS = 5;
const WEEK = 7;

/**
 * The pages of what has secrets that expire; that of apps if there are none. The page of an organization's identity
 * providers also lists those of the service.
 */
function expiring({ apps, machines, identityProviders }: Statistics["attention"]["expiringBy"]) {
  const pages: { page: ConsolePage; count: number }[] = [
    { page: "apps", count: apps },
    { page: "machines", count: machines },
    { page: "identity_providers", count: identityProviders },
  ];
  const some = pages.filter(({ count }) => count > 0);
  return some.length > 0 ? some : pages.slice(0, 1);
}

export function AttentionToday({ statistics, isOfService, organizationId, pages }: AttentionProps) {
  const t = useTranslations();
  const { number } = useFormatter();
  const { attention, signIns } = statistics;
  const compared = (before: number) => t("overview.comparedToLastWeek", { count: number(before) });
  const attempts: ConsolePage = isOfService ? "instance_attempts" : "attempts";
  const mails: ConsolePage = isOfService && pages.includes("instance_mails") ? "instance_mails" : "mail";
  const texts: ConsolePage = isOfService ? "instance_texts" : "texts";
  const matters: Matter[] = [
    {
      id: "signed-in",
      label: t("overview.signInsToday"),
      count: signIns.at(-1)?.count ?? 0,
      detail: compared(signIns.at(-1 - WEEK)?.count ?? 0),
      isGood: true,
      page: attempts,
      query: { reason: "signed_in" },
    },
    ...attention.failures.slice(0, REASONS).map(({ reason, today, before }) => ({
      id: reason,
      label: t(`attempts.by.reason.${reason}`),
      count: today,
      detail: compared(before),
      page: attempts,
      query: { reason },
    })),
    {
      id: "locked",
      label: t("overview.lockedOut"),
      count: attention.lockedOut,
      page: attempts,
      query: { reason: "throttled" },
    },
    ...recentlyFailed(statistics).map(({ channel, label, count, query }) => ({
      id: channel,
      label: t(label),
      count,
      page: mails,
      query,
    })),
    { id: "drafts", label: t("overview.waitingDrafts"), count: attention.waitingDrafts, page: texts },
    ...expiring(attention.expiringBy).map(({ page, count }, _, { length }) => ({
      id: page,
      label: [t("overview.expiringSecrets"), ...(length > 1 ? [t(`pages.${page}`)] : [])].join(" · "),
      count,
      page,
    })),
  ];
  const shown = matters.filter(({ page }) => pages.includes(page));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="today" className="card">
      <h2 id="today">{t("overview.today")}</h2>
      <dl className="matters">
        {shown.map(({ id, label, count, detail, page, query = {}, isGood }) => (
          <div key={id}>
            <dt>
              <a href={withQuery(pageAddress(page, organizationId), query)}>{label}</a>
            </dt>
            <dd>
              <strong className={count > 0 && !isGood ? "matter" : undefined}>{number(count)}</strong>
              {detail && <span className="quiet">{detail}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
