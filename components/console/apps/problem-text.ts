// The text of a compliance problem in the language of the page, or the API's message if there is no text.
import type { useTranslations } from "next-intl";
import type { ComplianceProblem } from "../../../server/directory/app/compliance";

/** Text keys contain no dots: `Application.OIDC.V1.DevMode.On` becomes `DevMode_On`. */
export function problemText(t: ReturnType<typeof useTranslations>, { key, localizedMessage }: ComplianceProblem) {
  const name = key.replace(/^Application\.OIDC\.V1\./, "").replaceAll(".", "_");
  return t.has(`apps.by.problem.${name}`) ? t(`apps.by.problem.${name}`) : localizedMessage;
}
