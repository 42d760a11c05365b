// All policies of a level on one page, one form each.
import { useTranslations } from "next-intl";
import { POLICY_KINDS, type Policy, type PolicyLevel } from "./policy";
import { PolicyForm } from "./policy-form";

export interface PoliciesPageProps {
  level: PolicyLevel;
  /** By the paths of their kinds. */
  policies: ReadonlyMap<string, Policy>;
  mayWrite: boolean;
}

export function PoliciesPage({ level, policies, mayWrite }: PoliciesPageProps) {
  const t = useTranslations();
  const isInstance = level === "instance";
  return (
    <>
      <h1>{t(isInstance ? "pages.instance_policies" : "pages.policies")}</h1>
      <p className="lead">{t(isInstance ? "settings.instancePoliciesLead" : "settings.policiesLead")}</p>
      {POLICY_KINDS.map((kind) => {
        const policy = policies.get(kind.path);
        return policy && <PolicyForm key={kind.path} kind={kind} policy={policy} level={level} mayWrite={mayWrite} />;
      })}
    </>
  );
}
