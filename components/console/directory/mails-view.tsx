// The emails and text messages to a user: sent, queued or failed, with the response of the mail server.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { RetryMessage } from "../../../shared/generated/operations";
import { ActionButton } from "../calls/action-button";
import { Table } from "../lists/table";
import { TokenPager } from "../lists/token-pager";
import { useMailColumns } from "../mails/mail-columns";

type Answer = AnswerOf<"ListMessages">;

export interface MailsViewProps {
  answer: Answer;
  /** The address of this view, with its query. */
  path: string;
  isFirstPage: boolean;
  /** Whether the visitor may open the page of a mail. */
  mayOpen: boolean;
  mayRetry: boolean;
}

export function MailsView({ answer, path, isFirstPage, mayOpen, mayRetry }: MailsViewProps) {
  const t = useTranslations();
  return (
    <>
      <Table
        caption={t("directory.by.view.mails")}
        rows={answer.messages}
        keyOf={({ id }) => id}
        empty={<p>{t("directory.noMails")}</p>}
        columns={useMailColumns(mayOpen).filter(({ choice }) => choice !== "hidden")}
        actions={({ id, state }) =>
          mayRetry &&
          state === "failed" && (
            <ActionButton
              id={`retry-${id}`}
              label={t("mail.resend")}
              operation={RetryMessage}
              at={{ id }}
              done={t("mail.resent")}
            />
          )
        }
      />
      <TokenPager
        path={path}
        query={{ view: "mails" }}
        isFirstPage={isFirstPage}
        nextPageToken={answer.nextPageToken}
      />
    </>
  );
}
