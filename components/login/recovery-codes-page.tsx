// Recovery codes, shown once. Saving them needs no script: the link contains the file.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { CopyButton, PrintButton } from "./copy-buttons";
import { ToApp } from "./to-app";

export interface RecoveryCodesProps {
  codes: readonly string[];
  /** The address of the button, with its hidden fields. */
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function RecoveryCodesPage({
  t,
  locale,
  ...props
}: RecoveryCodesProps & { t: LoginTranslator; locale: string }) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${props.codes.join("\r\n")}\r\n`)}`;
  return (
    <>
      <h1>{t("recoveryCodes.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p>{t("recoveryCodes.text")}</p>
      <ul className="codes" dir="ltr">
        {props.codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="actions">
        <a id="save-codes" href={file} download="recovery-codes.txt">
          {t("recoveryCodes.save")}
        </a>
        <CopyButton t={t} id="copy-codes" text={props.codes.join("\n")} />
        <PrintButton t={t} id="print-codes" />
      </p>
      <form method="post" action={props.action}>
        <HiddenFields values={{ ...props.fields, ui_locales: locale }} />
        <PrimaryButton id="submit">{t("recoveryCodes.done")}</PrimaryButton>
      </form>
    </>
  );
}
