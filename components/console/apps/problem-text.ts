// What a compliance problem of an app says in the language of the page; the message of the API where there is no text.
import type { useTranslations } from "next-intl";
import type { ComplianceProblem } from "../../../server/directory/app/compliance";

/** Keys of texts have no dots: `Application.OIDC.V1.DevMode.On` is `DevMode_On`. */
export function problemText(t: ReturnType<typeof useTranslations>, { key, localizedMessage }: ComplianceProblem) {
  const name = key.replace(/^Application\.OIDC\.V1\./, "").replaceAll(".", "_");
  return t.has(`apps.by.problem.${name}`) ? t(`apps.by.problem.${name}`) : localizedMessage;
}
