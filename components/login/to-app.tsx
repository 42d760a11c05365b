// Names the application below the title of each step of a sign-in, so that users know what they are signing in to.
// Without an application, nothing is shown.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";

export function ToApp({ t, appName }: { t: LoginTranslator; appName?: string }) {
  if (!appName) return null;
  return <p className="lead">{t.rich("signIn.toApp", { ...bdi, app: plainName(appName) })}</p>;
}

/** Cancels the sign-in and returns to the application. A separate form, so that no field has to be filled in. */
export function CancelSignIn({ t, locale, flow }: { t: LoginTranslator; locale: string; flow: string }) {
  return (
    <form method="post" action="/login/cancel">
      <HiddenFields values={{ flow, ui_locales: locale }} />
      <button className="secondary" type="submit" id="cancel" name="cancel" value="1">
        {t("account.cancel")}
      </button>
    </form>
  );
}
