// The columns that all lists of messages share.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import type { Column } from "../lists/table";
import { type MailRow, MailState, useMailType } from "./mail-state";

/** @param mayOpen whether the visitor may open the page of a message */
export function useMailColumns(mayOpen: boolean): Column<MailRow>[] {
  const t = useTranslations();
  const typeName = useMailType();
  const subjectOf = ({ subject, type }: MailRow) => subject ?? typeName(type);
  return [
    {
      id: "subject",
      label: t("mail.subject"),
      size: "text",
      isPlain: true,
      title: subjectOf,
      cell: (mail) => {
        const name = <Name>{subjectOf(mail)}</Name>;
        return mayOpen ? <a href={`/console/mail/${encodeURIComponent(mail.id)}`}>{name}</a> : name;
      },
    },
    { id: "recipient", label: t("mail.to"), isPlain: true, login: ({ recipient }) => recipient },
    {
      id: "type",
      label: t("mail.type"),
      size: "text",
      isMinor: true,
      choice: "hidden",
      title: ({ type }) => typeName(type),
      cell: ({ type }) => typeName(type),
    },
    { id: "state", label: t("mail.state"), isBadge: true, cell: ({ state }) => <MailState state={state} isInList /> },
    {
      id: "answer",
      label: t("mail.answer"),
      size: "text",
      isPlain: true,
      choice: "shown",
      title: ({ lastAnswer }) => lastAnswer ?? undefined,
      cell: ({ lastAnswer }) => lastAnswer !== null && <code>{lastAnswer}</code>,
    },
    { id: "created", label: t("mail.written"), isPlain: true, date: ({ creationDate }) => creationDate },
  ];
}
