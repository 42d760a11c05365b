// The email log of an organization and of the whole service.
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ActionButton } from "../../../components/console/calls/action-button";
import { PAGE_SIZE } from "../../../components/console/calls/list";
import { mailFilters, mailsWanted } from "../../../components/console/mails/mail-filters";
import { MailList } from "../../../components/console/mails/mail-list";
import { recentlyFailed } from "../../../components/console/operations/statistics";
import type { Level } from "../../../components/console/parts/level";
import {
  GetInstanceStatistics,
  GetStatistics,
  ListInstanceMessages,
  ListMessages,
  RetryInstanceMessages,
  RetryMessages,
} from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { organizationNames } from "../organization-names";
import type { PageContext } from "../page-of";
import { toggledColumns } from "../toggled-columns";

export async function mailLogPage(level: Level, { viewer, organization, search, timeZone }: PageContext) {
  const t = await getTranslations();
  const isOfAll = level === "instance";
  const pageToken = search.page;
  const filters = mailFilters(search);
  const types = viewer.messageGroups.flatMap((group) => group.types);
  const { state, ...wanted } = mailsWanted(filters, types);
  const query = { ...wanted, state, limit: String(PAGE_SIZE), pageToken };
  const within = { ...query, organizationId: filters.organization };
  const [found, { sendsMail }, statistics] = await Promise.all([
    isOfAll ? viewer.call(ListInstanceMessages, { query: within }) : viewer.call(ListMessages, { query }),
    viewer.overview(),
    viewer.call(isOfAll ? GetInstanceStatistics : GetStatistics, { query: { timeZone } }),
  ]);
  if (!found.ok) notFound(); // not a page token of this service
  const { messages, nextPageToken } = found.body;
  const mayRetry = isOfAll ? viewer.permissions.has("iam.policy.write") : organization.permissions.has("policy.write");
  const action = { id: "resend-all", label: t("mail.resendAll"), done: t("mail.resentAll") };
  const retry = isOfAll
    ? { operation: RetryInstanceMessages, body: { ...wanted, organizationId: filters.organization } }
    : { operation: RetryMessages, organizationId: organization.id, body: wanted };
  const ids = messages.map(({ organizationId }) => organizationId);
  return (
    <MailList
      title={t(isOfAll ? "pages.instance_mails" : "pages.mail")}
      path={pageAddress(isOfAll ? "instance_mails" : "mail", organization.id)}
      organizationNames={isOfAll ? await organizationNames(viewer, [...ids, filters.organization ?? ""]) : undefined}
      mails={messages}
      filters={filters}
      types={types}
      resend={mayRetry && state === "failed" && messages.length > 0 && <ActionButton {...action} {...retry} />}
      sendsMail={sendsMail}
      failed={statistics.ok ? recentlyFailed(statistics.body).reduce((sum, { count }) => sum + count, 0) : 0}
      isFirstPage={pageToken === undefined}
      nextPageToken={nextPageToken}
      toggled={await toggledColumns("mails")}
    />
  );
}
