// The second factor: one field, not six boxes, that accepts pasted codes, and all other factors that the user has set
// up. The sign-in that it belongs to is sealed in the form.
import type { LoginTranslator } from "../../messages/login";
import type { ResendNote } from "../../server/oidc/proven";
import type { CodeWay, FactorWay, SentKind } from "../../server/protocol/second-factor";
import { ErrorSummary, Field, HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, plainName } from "../ui/user-text";
import { CODE_TEXTS, SENT_TEXTS, SENT_TO_TEXTS, WAY_NAMES } from "./factor-texts";
import { MailNote, Resend } from "./mailed-code";
import { ToApp } from "./to-app";
import { Whose } from "./whose";

export type FactorError = "missing" | "wrong" | "blocked" | "too-many-mails";

export interface OtherWay {
  way: FactorWay;
  href: string;
}

interface Around {
  flow: string;
  loginName: string;
  /** The link to the sign-in page, for another account. */
  notYouHref?: string;
  /** The user's other factors. */
  others: readonly OtherWay[];
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

export interface CodePageProps extends Around {
  way: CodeWay;
  action: string;
  error?: FactorError;
  /** For codes that are sent: the destination, and whether the message has been sent. */
  channel?: { kind: SentKind; to: string; sent: boolean; action: string; sender?: string; note?: ResendNote };
}

export function CodePage({ t, locale, ...props }: CodePageProps & { t: LoginTranslator; locale: string }) {
  const { way, channel, error } = props;
  const fields = { flow: props.flow, way, ui_locales: locale };
  const message = error && errorText(t, error, way);
  return (
    <>
      <h1>{t("secondFactor.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <Whose t={t} loginName={props.loginName} notYouHref={props.notYouHref} />
      {message && (
        <ErrorSummary
          id="error-summary"
          entries={[error === "missing" || error === "wrong" ? { field: "code", text: message } : { text: message }]}
        />
      )}
      {channel && (
        <p>
          {t.rich(SENT_TO_TEXTS[channel.sent ? "sent" : "question"], {
            ...bdi,
            email: plainName(channel.to),
          })}
        </p>
      )}
      <MailNote t={t} note={channel?.note} />
      {channel && !channel.sent ? (
        <form method="post" action={channel.action}>
          <HiddenFields values={fields} />
          <PrimaryButton id="send-code">{t(SENT_TO_TEXTS.send)}</PrimaryButton>
        </form>
      ) : (
        <form method="post" action={props.action} noValidate>
          <HiddenFields values={fields} />
          <Field
            name="code"
            label={t("code.label")}
            hint={t(CODE_TEXTS[way].hint)}
            invalidBecause={message && "error-summary"}
            errorPrefix={t("common.fieldError")}
            type="text"
            inputMode={way === "recovery" ? "text" : "numeric"}
            autoComplete={way === "recovery" ? "off" : "one-time-code"}
            autoCapitalize={way === "recovery" ? "characters" : "none"}
            spellCheck={false}
            maxLength={40}
            dir="ltr"
            autoFocus={!message}
          />
          <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
        </form>
      )}
      {channel?.sent && (
        <Resend
          t={t}
          sender={channel.sender}
          notThere={SENT_TEXTS[channel.kind].notThere}
          action={channel.action}
          fields={fields}
        />
      )}
      <OtherWays t={t} others={props.others} />
    </>
  );
}

/** All other factors; recovery codes are named by their purpose. */
export function OtherWays({ t, others }: { t: LoginTranslator; others: readonly OtherWay[] }) {
  const recovery = others.find(({ way }) => way === "recovery");
  const rest = others.filter(({ way }) => way !== "recovery");
  return (
    <>
      {rest.length > 0 && (
        <nav aria-labelledby="another-way">
          <h2 id="another-way">{t("secondFactor.another")}</h2>
          <ul className="ways">
            {rest.map(({ way, href }) => (
              <li key={way}>
                <a id={`way-${way}`} href={linkTarget(href)}>
                  {t(WAY_NAMES[way])}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {recovery && (
        <p className="aside">
          <span>{t("secondFactor.lost")}</span>{" "}
          <a id="way-recovery" href={linkTarget(recovery.href)}>
            {t(WAY_NAMES.recovery)}
          </a>
        </p>
      )}
    </>
  );
}

export type NoWayPageProps = Omit<Around, "flow" | "others">;

/** A page for users none of whose factors can be used anymore. */
export function NoWayPage({ t, ...props }: NoWayPageProps & { t: LoginTranslator }) {
  return (
    <>
      <h1>{t("secondFactor.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <Whose t={t} loginName={props.loginName} notYouHref={props.notYouHref} />
      <p className="note">{t("secondFactor.none")}</p>
    </>
  );
}

function errorText(t: LoginTranslator, error: FactorError, way: CodeWay): string {
  switch (error) {
    case "missing":
      return t("secondFactor.missing");
    case "wrong":
      return t(CODE_TEXTS[way].wrong);
    case "blocked":
      return t("secondFactor.blocked");
    case "too-many-mails":
      return t("secondFactor.tooManyMails");
  }
}
