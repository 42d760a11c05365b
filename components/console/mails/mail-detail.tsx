// One email or text message: its delivery and its content. The HTML is shown in a frame without scripts and with its
// own origin (server/console/email.ts) because it contains content from other users.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ShownMail } from "../../../server/service/service";
import { LoginName, Name } from "../../ui/user-text";
import { Moment } from "../parts/moment";
import { MailState, useMailType } from "./mail-state";

export const MAIL_VIEWS = ["html", "text", "headers"] as const;
export type MailView = (typeof MAIL_VIEWS)[number];

type Message = ShownMail["message"];

export interface MailDetailProps {
  message: Message;
  view: MailView;
  /** The button that sends the message again, if that is possible. */
  resend: ReactNode;
}

export function MailDetail({ message, view, resend }: MailDetailProps) {
  const t = useTranslations();
  const nameOf = useMailType();
  const { id, rendered, subject, type, state } = message;
  return (
    <>
      <p className="back">
        <a href="/console/mail">{t("mail.back")}</a>
      </p>
      <h1>{subject === null ? nameOf(type) : <Name>{subject}</Name>}</h1>
      <Facts message={message} />
      <Attempts attempts={message.deliveryAttempts} />
      {resend}
      {rendered?.channel === "sms" && <pre className="card">{rendered.text}</pre>}
      {rendered && rendered.channel !== "sms" && (
        <>
          <nav aria-label={t("mail.views")} className="views">
            {MAIL_VIEWS.map((name) => (
              <a
                key={name}
                href={`/console/mail/${encodeURIComponent(id)}?view=${name}`}
                aria-current={name === view ? "true" : undefined}
              >
                {{ html: t("mail.html"), text: t("mail.text"), headers: t("mail.headers") }[name]}
              </a>
            ))}
          </nav>
          {view === "html" && (
            <iframe
              className="mail-frame"
              title={t("mail.frame")}
              src={`/console/api/mails/${encodeURIComponent(id)}`}
              sandbox=""
              referrerPolicy="no-referrer"
            />
          )}
          {view === "text" && <pre className="card">{rendered.text}</pre>}
          {view === "headers" && <Headers rendered={rendered} />}
        </>
      )}
      {!rendered && <p className="banner">{state === "queued" ? t("mail.waiting") : t("mail.notShown")}</p>}
    </>
  );
}

function Facts({ message }: { message: Message }) {
  const t = useTranslations();
  const nameOf = useMailType();
  const { recipient, state, type, createdAt, settledAt, nextAttemptAt, expiresAt, attempts, lastAnswer, channel } =
    message;
  const facts: [string, ReactNode][] = [
    [t("mail.state"), <MailState key="state" state={state} />],
    [t("mail.to"), <LoginName key="to">{recipient}</LoginName>],
    [t("mail.type"), nameOf(type)],
    [t("mail.channel"), channel !== null && t(`mail.by.channel.${channel}`)],
    [t("mail.written"), <Moment key="written" at={createdAt} />],
    [t("mail.settled"), settledAt !== null && <Moment key="settled" at={settledAt} />],
    [t("mail.nextTry"), state === "queued" && <Moment key="next" at={nextAttemptAt} />],
    [t("mail.expires"), expiresAt !== null && <Moment key="expires" at={expiresAt} />],
    [t("mail.attempts"), attempts > 0 && String(attempts)],
    [t("mail.answer"), lastAnswer !== null && <code key="answer">{lastAnswer}</code>],
  ];
  return (
    <dl className="card facts">
      {facts
        .filter(([, value]) => value !== false)
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** All attempts, if there were several; the response to the last one is among the facts. */
function Attempts({ attempts }: { attempts: Message["deliveryAttempts"] }) {
  const t = useTranslations();
  if (attempts.length < 2) return null;
  return (
    <section className="card" aria-labelledby="attempts">
      <h2 id="attempts">{t("mail.attempts")}</h2>
      <ol className="delivery-attempts">
        {attempts.map(({ at, answer }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts never change their order
          <li key={index}>
            <Moment at={at} />
            <code dir="ltr">{answer}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Headers({ rendered }: { rendered: Exclude<NonNullable<Message["rendered"]>, { channel: "sms" }> }) {
  const lines = [
    ["Message-ID", rendered.messageId],
    ["Date", new Date(rendered.date).toUTCString()],
    ["From", rendered.sender],
    ["To", rendered.recipient],
    ["Subject", rendered.subject],
    ...Object.entries(rendered.headers),
  ];
  return (
    <dl className="card facts">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
