// Buttons to copy or print something that must be kept. They are hidden until a script shows them, because they need
// it.
import type { LoginTranslator } from "../../messages/login";

/**
 * The copy button.
 * @param props.text the plain text to copy
 */
export function CopyButton({ t, id, text }: { t: LoginTranslator; id: string; text: string }) {
  return (
    <button
      className="link"
      type="button"
      id={id}
      data-copy={text}
      data-copied={t("common.copied")}
      aria-live="polite"
      hidden
      data-scripted=""
    >
      {t("common.copy")}
    </button>
  );
}

export function PrintButton({ t, id }: { t: LoginTranslator; id: string }) {
  return (
    <button className="link" type="button" id={id} data-print="" hidden data-scripted="">
      {t("common.print")}
    </button>
  );
}
