// The page of the sign-in attempts of an organization or of the whole service.
import { useTranslations } from "next-intl";
import type { Answer } from "../../../shared/refusal";
import { Problems } from "../calls/problems";
import { DayFields } from "../lists/day-fields";
import { countActive, FilterSelect } from "../lists/filters";
import { ListPage } from "../lists/list-page";
import { TokenPager } from "../lists/token-pager";
import { AppFilter } from "./app-filter";
import { type AttemptAnswer, type AttemptFilters, OFFERED_REASONS } from "./attempt";
import { useAttemptColumns } from "./attempt-list";

export interface AttemptsPageProps {
  title: string;
  /** The address of the page. */
  path: string;
  /** The organization whose apps are offered. */
  organizationId: string;
  answer: Answer<AttemptAnswer>;
  filters: AttemptFilters;
  isFirstPage: boolean;
  mayWriteUsers: boolean;
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function AttemptsPage(props: AttemptsPageProps) {
  const { title, path, organizationId, answer, filters, isFirstPage, mayWriteUsers, toggled } = props;
  const t = useTranslations();
  const list = answer.ok ? answer.body : undefined;
  const attempts = list?.result ?? [];
  const { q, reason, app, from, to } = filters;
  const active = countActive(reason, app, from, to);
  const isFiltered = active > 0 || q !== undefined || !isFirstPage;
  const appName = attempts.find(({ clientId }) => clientId === app)?.appName;
  return (
    <ListPage
      title={title}
      head={<p className="lead">{t("attempts.lead")}</p>}
      name="attempts"
      toggled={toggled}
      path={path}
      search={{ label: t("attempts.name"), value: q }}
      filters={
        <>
          <FilterSelect
            name="reason"
            label={t("attempts.what")}
            value={reason}
            options={OFFERED_REASONS.map((value) => ({ value, label: t(`attempts.by.reason.${value}`) }))}
          />
          <AppFilter
            organizationId={organizationId}
            initial={app === undefined ? undefined : { value: app, label: appName ?? app }}
          />
          <DayFields days={filters} />
        </>
      }
      activeFilters={active}
      hasMoreFilters
      rows={attempts}
      keyOf={({ id }) => id}
      empty={<p>{isFiltered ? t("frame.noRows") : t("attempts.empty")}</p>}
      columns={useAttemptColumns({ attempts, mayWriteUsers })}
      pager={<TokenPager path={path} query={filters} isFirstPage={isFirstPage} nextPageToken={list?.nextPageToken} />}
    >
      <Problems refusal={answer.ok ? undefined : answer.refusal} />
    </ListPage>
  );
}
