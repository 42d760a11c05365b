// All sign-in attempts of an organization or of the service, with a search.
import { useTranslations } from "next-intl";
import type { Answer } from "../../../shared/refusal";
import { Problems } from "../calls/problems";
import { DayFields } from "../lists/day-fields";
import { FilterSelect, SearchBox } from "../lists/search-box";
import { TokenPager } from "../lists/token-pager";
import { type AttemptAnswer, type AttemptFilters, OFFERED_REASONS } from "./attempt";
import { AttemptList } from "./attempt-list";

export interface AttemptsPageProps {
  title: string;
  /** The address of the page. */
  path: string;
  answer: Answer<AttemptAnswer>;
  filters: AttemptFilters;
  isFirstPage: boolean;
  mayWriteUsers: boolean;
}

export function AttemptsPage(props: AttemptsPageProps) {
  const { title, path, answer, filters, isFirstPage, mayWriteUsers } = props;
  const t = useTranslations();
  const list = answer.ok ? answer.body : undefined;
  const isFiltered = Object.keys(filters).length > 0 || !isFirstPage;
  return (
    <>
      <h1>{title}</h1>
      <p className="lead">{t("attempts.lead")}</p>
      <Filters path={path} filters={filters} />
      <Problems refusal={answer.ok ? undefined : answer.refusal} />
      <AttemptList
        attempts={list?.result ?? []}
        empty={isFiltered ? t("operations.noEvents") : t("attempts.empty")}
        mayWriteUsers={mayWriteUsers}
      />
      <TokenPager path={path} query={filters} isFirstPage={isFirstPage} nextPageToken={list?.nextPageToken} />
    </>
  );
}

function Filters({ path, filters }: Pick<AttemptsPageProps, "path" | "filters">) {
  const t = useTranslations();
  const any = { value: "", label: t("directory.any") };
  return (
    <SearchBox path={path} value={filters.q} label={t("attempts.name")}>
      <FilterSelect
        name="reason"
        label={t("attempts.what")}
        value={filters.reason}
        options={[any, ...OFFERED_REASONS.map((value) => ({ value, label: t(`attempts.by.reason.${value}`) }))]}
      />
      <div className="field">
        <label htmlFor="filter-app">{t("apps.clientId")}</label>
        <input
          type="search"
          id="filter-app"
          name="app"
          defaultValue={filters.app}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <DayFields days={filters} />
    </SearchBox>
  );
}
