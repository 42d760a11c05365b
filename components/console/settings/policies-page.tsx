// The policies of a level in views, one form each.
import { useTranslations } from "next-intl";
import type { Level } from "../parts/level";
import { Views } from "../parts/views";
import { idOfPolicy, POLICY_VIEWS, type PolicyView, type ReadPolicy } from "./policy";
import { PolicyForm } from "./policy-form";

export interface PoliciesPageProps {
  level: Level;
  /** The address of the page. */
  address: string;
  view: PolicyView;
  /** The policies of the view. */
  policies: readonly ReadPolicy[];
  mayWrite: boolean;
}

export function PoliciesPage({ level, address, view, policies, mayWrite }: PoliciesPageProps) {
  const t = useTranslations();
  const isInstance = level === "instance";
  return (
    <>
      <h1>{t(isInstance ? "pages.instance_policies" : "pages.policies")}</h1>
      <p className="lead">{t(isInstance ? "settings.instancePoliciesLead" : "settings.policiesLead")}</p>
      {/* Each view is named by its first policy. */}
      <Views
        view={view}
        views={Object.entries(POLICY_VIEWS).map(([name, paths]) => ({
          name,
          label: t(`settings.by.policy.${idOfPolicy(paths[0])}`),
          href: `${address}?view=${name}`,
          anchors: paths.map(idOfPolicy),
        }))}
      />
      {policies.map((read) => (
        <PolicyForm key={read.path} {...read} level={level} mayWrite={mayWrite} />
      ))}
    </>
  );
}
