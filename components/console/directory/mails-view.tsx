// The emails and text messages to a user: sent, queued or failed, with the response of the mail server.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { RetryMessage } from "../../../shared/generated/operations";
import { LoginName, Name } from "../../ui/user-text";
import { ActionButton } from "../calls/action-button";
import { Table } from "../lists/table";
import { TokenPager } from "../lists/token-pager";
import { MailState, useMailType } from "../mails/mail-state";
import { Moment } from "../parts/moment";

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
  const typeName = useMailType();
  return (
    <>
      <Table
        caption={t("directory.by.view.mails")}
        rows={answer.messages}
        keyOf={({ id }) => id}
        empty={<p>{t("directory.noMails")}</p>}
        columns={[
          {
            id: "subject",
            label: t("mail.type"),
            cell: ({ id, subject, type, recipient }) => {
              const name = <Name>{subject ?? typeName(type)}</Name>;
              return (
                <>
                  {mayOpen ? <a href={`/console/mail/${encodeURIComponent(id)}`}>{name}</a> : name}
                  <p className="quiet">
                    <LoginName>{recipient}</LoginName>
                    {subject !== typeName(type) && ` · ${typeName(type)}`}
                  </p>
                </>
              );
            },
          },
          {
            id: "state",
            label: t("mail.state"),
            cell: ({ state, lastAnswer }) => (
              <>
                <MailState state={state} />
                {lastAnswer !== null && (
                  <p className="quiet">
                    <code>{lastAnswer}</code>
                  </p>
                )}
              </>
            ),
          },
          {
            id: "created",
            label: t("directory.created"),
            cell: ({ creationDate }) => <Moment at={Date.parse(creationDate)} />,
          },
          {
            id: "actions",
            label: t("directory.actions"),
            isQuiet: true,
            cell: ({ id, state }) =>
              mayRetry &&
              state === "failed" && (
                <ActionButton
                  id={`retry-${id}`}
                  label={t("mail.resend")}
                  operation={RetryMessage}
                  at={{ id }}
                  done={t("mail.resent")}
                />
              ),
          },
        ]}
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
