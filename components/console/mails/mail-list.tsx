// The email log of an organization or of the whole service, newest first.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { organizationAddress } from "../../../shared/pages";
import { DayFields } from "../lists/day-fields";
import { OrganizationFilter } from "../lists/filter-pick";
import { countActive, FilterSelect } from "../lists/filters";
import { ListPage } from "../lists/list-page";
import type { Column } from "../lists/table";
import { TokenPager } from "../lists/token-pager";
import { useMailColumns } from "./mail-columns";
import type { MailFilters } from "./mail-filters";
import { MAIL_CHANNELS, MAIL_STATES, type MailRow, useMailType } from "./mail-state";

export interface MailListProps {
  title: string;
  /** The address of the page. */
  path: string;
  /** The names of organizations by id, if the messages of all are listed. */
  organizationNames: ReadonlyMap<string, string> | undefined;
  mails: readonly MailRow[];
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
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function MailList(props: MailListProps) {
  const { title, path, organizationNames, mails, filters, resend, sendsMail, failed, isFirstPage } = props;
  const t = useTranslations();
  const { q, state, channel, type, organization, from, to } = filters;
  const active = countActive(state, channel, type, organization, from, to);
  const nameOf = ({ organizationId }: MailRow) => organizationNames?.get(organizationId) ?? organizationId;
  const ofOrganization: Column<MailRow> = {
    id: "organization",
    label: t("pages.organization"),
    choice: "shown",
    text: nameOf,
    href: (mail) => organizationAddress(mail.organizationId),
  };
  const [subject, ...columns] = useMailColumns(true);
  return (
    <ListPage
      title={title}
      head={
        <>
          <p className="lead">{t("mail.lead")}</p>
          {resend}
        </>
      }
      name="mails"
      toggled={props.toggled}
      path={path}
      search={{ label: t("mail.recipient"), value: q }}
      filters={<Filters {...{ filters, organizationNames }} types={props.types} />}
      activeFilters={active}
      hasMoreFilters
      rows={mails}
      keyOf={({ id }) => id}
      empty={<Nothing isFiltered={active > 0 || q !== undefined || !isFirstPage} />}
      columns={[...(subject ? [subject] : []), ...(organizationNames ? [ofOrganization] : []), ...columns]}
      pager={<TokenPager path={path} query={filters} isFirstPage={isFirstPage} nextPageToken={props.nextPageToken} />}
    >
      {!sendsMail && (
        <p className="banner">
          {t("mail.keptBanner")} <a href="/console#steps">{t("mail.setUp")}</a>
        </p>
      )}
      {failed > 0 && (
        <p className="banner problem">
          {t("mail.failing", { count: failed })} <a href={`${path}?state=failed`}>{t("mail.showFailed")}</a>
        </p>
      )}
    </ListPage>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations();
  if (isFiltered) return <p>{t("frame.noRows")}</p>;
  return (
    <>
      <h2>{t("mail.empty")}</h2>
      <p>{t("mail.emptyText")}</p>
    </>
  );
}

function Filters({
  filters,
  types,
  organizationNames,
}: Pick<MailListProps, "filters" | "types" | "organizationNames">) {
  const t = useTranslations();
  const nameOf = useMailType();
  const { state, channel, type, organization } = filters;
  return (
    <>
      <FilterSelect
        name="state"
        label={t("mail.state")}
        value={state}
        options={MAIL_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
      <FilterSelect
        name="channel"
        isMore
        label={t("mail.channel")}
        value={channel}
        options={MAIL_CHANNELS.map((value) => ({ value, label: t(`mail.by.channel.${value}`) }))}
      />
      <FilterSelect
        name="type"
        label={t("mail.type")}
        value={type}
        options={types.map((value) => ({ value, label: nameOf(value) }))}
      />
      {organizationNames && (
        <OrganizationFilter
          initial={
            organization === undefined
              ? undefined
              : { value: organization, label: organizationNames.get(organization) ?? organization }
          }
        />
      )}
      <DayFields days={filters} />
    </>
  );
}
