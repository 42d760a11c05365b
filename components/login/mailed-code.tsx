// The field for a mailed code, and the button for another one. The code may be pasted with its dash and in any case;
// keyboards must not correct it.
import type { LoginTranslator } from "../../messages/login";
import type { MailedCodeProblem } from "../../server/directory/mailed-code/open";
import type { ResendNote } from "../../server/oidc/proven";
import { Field, HiddenFields } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";

/**
 * Returns the error text.
 * @param isTexted whether the code came by text message, which has no link to open instead
 */
export function codeErrorText(t: LoginTranslator, error: MailedCodeProblem, isTexted = false): string {
  switch (error) {
    case "missing":
      return t("code.missing");
    case "wrong":
      return t("code.wrong");
    case "expired":
      return t("code.expired");
    case "used":
      return t("code.used");
    case "blocked":
      return t(isTexted ? "secondFactor.blocked" : "code.blocked");
  }
}

export function CodeField(props: {
  t: LoginTranslator;
  /** The code as typed. */
  value?: string;
  error?: MailedCodeProblem;
  /** See `codeErrorText`. */
  isTexted?: boolean;
  autoFocus?: boolean;
}) {
  const { t, value, error, isTexted, autoFocus } = props;
  return (
    <Field
      name="code"
      label={t("code.label")}
      hint={t("code.hint")}
      value={value}
      error={error && codeErrorText(t, error, isTexted)}
      errorPrefix={t("common.fieldError")}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
      dir="ltr"
      autoFocus={autoFocus}
    />
  );
}

const NOTES = { again: "code.again", "too-soon": "code.tooSoon", "too-many": "secondFactor.tooManyMails" } as const;

/** The result of requesting another message, if one was requested. */
export function MailNote({ t, note }: { t: LoginTranslator; note: ResendNote | undefined }) {
  return (
    note && (
      <p className="note" id="mail-note" role="status">
        {t(NOTES[note])}
      </p>
    )
  );
}

/** The form that requests another message, below the main form. */
export function Resend(props: {
  t: LoginTranslator;
  /** The sender of the message, to find it by. */
  sender?: string;
  /** Advice if the message does not arrive. */
  notThere?: "code.notThere" | "code.notThereSms";
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
}) {
  const { t, sender, notThere = "code.notThere", action, fields } = props;
  return (
    <form method="post" action={action} className="aside">
      <HiddenFields values={fields} />
      <p>
        {sender !== undefined && <>{t.rich("code.sender", { ...bdi, sender: plainName(sender) })} </>}
        {t(notThere)}
      </p>
      <button className="link" type="submit" id="resend" name="resend" value="1">
        {t("code.resend")}
      </button>
    </form>
  );
}
