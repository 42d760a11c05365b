// The mails of the service, newest first: one line each on wide screens, one card each on phones.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ListedMail } from "../../../server/service/service";
import { LoginName, Name } from "../../ui/user-text";
import { DayFields } from "../lists/day-fields";
import { FilterSelect, SearchBox } from "../lists/search-box";
import { TokenPager } from "../lists/token-pager";
import { Moment } from "../parts/moment";
import type { MailFilters } from "./mail-filters";
import { MAIL_STATES, MailState, useMailType } from "./mail-state";

const PATH = "/console/mail";

export interface MailListProps {
  mails: readonly ListedMail[];
  filters: MailFilters;
  /** All types of mails, for the filter. */
  types: readonly string[];
  /** The button that sends all failed mails again, if that is possible. */
  resend: ReactNode;
  sendsMail: boolean;
  /** The number of mails that failed since yesterday. */
  failed: number;
  isFirstPage: boolean;
  nextPageToken: string | undefined;
}

export function MailList(props: MailListProps) {
  const { mails, filters, types, resend, sendsMail, failed, isFirstPage, nextPageToken } = props;
  const t = useTranslations();
  const nameOf = useMailType();
  return (
    <>
      <h1>{t("pages.mail")}</h1>
      <p className="lead">{t("mail.lead")}</p>
      {!sendsMail && (
        <p className="banner">
          {t("mail.keptBanner")} <a href="/console#steps">{t("mail.setUp")}</a>
        </p>
      )}
      {failed > 0 && (
        <p className="banner problem">
          {t("mail.failing", { count: failed })} <a href={`${PATH}?state=failed`}>{t("mail.showFailed")}</a>
        </p>
      )}
      <Filters filters={filters} types={types} />
      {resend}
      {mails.length === 0 ? (
        <Nothing isFiltered={Object.keys(filters).length > 0 || !isFirstPage} />
      ) : (
        <ul className="card mails">
          {mails.map((mail) => (
            <li key={mail.id}>
              <MailState state={mail.state} />
              <div>
                <a href={`/console/mail/${encodeURIComponent(mail.id)}`}>
                  <Name>{mail.subject ?? nameOf(mail.type)}</Name>
                </a>
                <p className="quiet">
                  <LoginName>{mail.recipient}</LoginName>
                  {mail.subject !== nameOf(mail.type) && ` · ${nameOf(mail.type)}`}
                </p>
                {mail.lastAnswer !== null && (
                  <p className="quiet">
                    <code>{mail.lastAnswer}</code>
                  </p>
                )}
              </div>
              <Moment at={mail.createdAt} />
            </li>
          ))}
        </ul>
      )}
      <TokenPager path={PATH} query={filters} isFirstPage={isFirstPage} nextPageToken={nextPageToken} />
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations();
  if (isFiltered) return <p className="card">{t("operations.noEvents")}</p>;
  return (
    <section className="card">
      <h2>{t("mail.empty")}</h2>
      <p>{t("mail.emptyText")}</p>
    </section>
  );
}

function Filters({ filters, types }: Pick<MailListProps, "filters" | "types">) {
  const t = useTranslations();
  const nameOf = useMailType();
  const any = { value: "", label: t("directory.any") };
  return (
    <SearchBox path={PATH} value={filters.q} label={t("mail.recipient")}>
      <FilterSelect
        name="state"
        label={t("mail.state")}
        value={filters.state}
        options={[any, ...MAIL_STATES.map((value) => ({ value, label: t(`states.${value}`) }))]}
      />
      <FilterSelect
        name="type"
        label={t("mail.type")}
        value={filters.type}
        options={[any, ...types.map((value) => ({ value, label: nameOf(value) }))]}
      />
      <DayFields days={filters} />
    </SearchBox>
  );
}
