// The pages that lead to another site. One has a form that submits itself: the authorization response to the redirect
// URI (OAuth 2.0 Form Post Response Mode §2), or a request to a SAML provider (SAML 2.0 Bindings §3.5).
// The script is constant and allowed by its hash; without it, the user presses the button.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";
import { linkTarget } from "../ui/links";
import { plainName } from "../ui/user-text";

// Calls the prototype's method, because a field named "submit" would hide the form's.
export const FORM_POST_SCRIPT = "HTMLFormElement.prototype.submit.call(document.forms[0])";

export interface FormPostProps {
  /** The name of the provider that gets the form; undefined: an application. */
  provider?: string;
  /** The validated address, the only one to which the form may be sent. */
  redirectUri: string;
  /** The response parameters by their wire names. */
  fields: Readonly<Record<string, string>>;
}

/** The button has no name, so that it does not become a response parameter. */
export const formPostTitle = (t: LoginTranslator, { provider }: Pick<FormPostProps, "provider">): string =>
  provider === undefined ? t("formPost.title") : t("formPost.providerTitle", { provider: plainName(provider) });

export function FormPostPage({ t, redirectUri, fields, provider }: FormPostProps & { t: LoginTranslator }) {
  return (
    <>
      <h1>{formPostTitle(t, { provider })}</h1>
      <p>{t(provider === undefined ? "formPost.explanation" : "formPost.providerExplanation")}</p>
      <form method="post" action={redirectUri}>
        <HiddenFields values={fields} />
        <button className="primary" type="submit">
          {t("common.continue")}
        </button>
      </form>
    </>
  );
}

export interface LeavingProps {
  /** The name of the provider to which the browser goes. */
  provider: string;
  next: string;
}

/** Leads to a provider by the header `refresh`, or the user by the link. */
export function LeavingPage({ t, next, provider }: LeavingProps & { t: LoginTranslator }) {
  return (
    <>
      <h1>{formPostTitle(t, { provider })}</h1>
      <p>{t("formPost.providerExplanation")}</p>
      <p className="aside">
        <a href={linkTarget(next)}>{t("common.continue")}</a>
      </p>
    </>
  );
}
