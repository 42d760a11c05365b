// Buttons for what has to be kept: hidden until script shows them, because without it they could do nothing.
import type { LoginTranslator } from "../../messages/login";

/** @param props.text what is copied, as plain text */
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
    >
      {t("common.copy")}
    </button>
  );
}

export function PrintButton({ t, id }: { t: LoginTranslator; id: string }) {
  return (
    <button className="link" type="button" id={id} data-print="" hidden>
      {t("common.print")}
    </button>
  );
}
