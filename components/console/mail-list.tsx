// The mails of the service, newest first: a line for each on wide screens, a card for each on phones.
import { useTranslations } from "next-intl";
import type { ListedMail } from "../../server/service/service";
import { LoginName, Name } from "../ui/user-text";
import { MailState, useMailType } from "./mail-state";
import { Moment } from "./moment";
import { TokenPager } from "./token-pager";

export interface MailListProps {
  mails: readonly ListedMail[];
  sendsMail: boolean;
  /** How many failed since yesterday. */
  failed: number;
  isFirstPage: boolean;
  nextPageToken: string | undefined;
}

export function MailList({ mails, sendsMail, failed, isFirstPage, nextPageToken }: MailListProps) {
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
      {failed > 0 && <p className="banner problem">{t("mail.failing", { count: failed })}</p>}
      {mails.length === 0 ? (
        <section className="card">
          <h2>{t("mail.empty")}</h2>
          <p>{t("mail.emptyText")}</p>
        </section>
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
      <TokenPager path="/console/mail" isFirstPage={isFirstPage} nextPageToken={nextPageToken} />
    </>
  );
}
