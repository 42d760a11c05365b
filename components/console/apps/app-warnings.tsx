// Warnings about an app's settings. The app works despite them.
import { useTranslations } from "next-intl";
import type { ComplianceProblem } from "../../../server/directory/app/compliance";
import { problemText } from "./problem-text";

export function AppWarnings({ problems, isBrief }: { problems: readonly ComplianceProblem[]; isBrief?: boolean }) {
  const t = useTranslations();
  if (problems.length === 0) return null;
  if (isBrief) return <span className="state warn">{t("apps.warnings", { count: problems.length })}</span>;
  return (
    <section className="banner" aria-labelledby="warnings">
      <h2 id="warnings">{t("apps.warnings", { count: problems.length })}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem.key}>{problemText(t, problem)}</li>
        ))}
      </ul>
    </section>
  );
}
