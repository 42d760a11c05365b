// The authorization response as a form that submits itself to the redirect URI (OAuth 2.0 Form Post Response Mode §2).
// The script is constant and allowed by its hash; without it, the user presses the button.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";

// Calls the prototype's method, because a field named "submit" would hide the form's.
export const FORM_POST_SCRIPT = "HTMLFormElement.prototype.submit.call(document.forms[0])";

export interface FormPostProps {
  /** The validated redirect URI, the only address to which the form may be sent. */
  redirectUri: string;
  /** The response parameters by their wire names. */
  fields: Readonly<Record<string, string>>;
}

/** The button has no name, so that it does not become a response parameter. */
export function FormPostPage({ t, redirectUri, fields }: FormPostProps & { t: LoginTranslator }) {
  return (
    <>
      <h1>{t("formPost.title")}</h1>
      <p>{t("formPost.explanation")}</p>
      <form method="post" action={redirectUri}>
        <HiddenFields values={fields} />
        <button className="primary" type="submit">
          {t("common.continue")}
        </button>
      </form>
    </>
  );
}
