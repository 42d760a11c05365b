// The latest sign-in attempts on the page of the object they concern, with a link to all of them.
import { useTranslations } from "next-intl";
import { pageAddress } from "../../../shared/pages";
import { withQuery } from "../lists/pager";
import type { AttemptFilters } from "./attempt";
import { AttemptList, type AttemptListProps } from "./attempt-list";

export interface RecentAttemptsProps extends Omit<AttemptListProps, "empty"> {
  organizationId: string;
  /** The filters of the linked page. */
  filters?: AttemptFilters;
}

export function RecentAttempts({ organizationId, filters = {}, ...list }: RecentAttemptsProps) {
  const t = useTranslations();
  return (
    <section className="section" aria-labelledby="attempts">
      <h2 id="attempts">{t("pages.attempts")}</h2>
      <AttemptList {...list} empty={t("attempts.empty")} />
      {list.attempts.length > 0 && (
        <p>
          <a href={withQuery(pageAddress("attempts", organizationId), filters)}>{t("attempts.all")}</a>
        </p>
      )}
    </section>
  );
}
