// All policies of a level on one page, one form each.
import { useTranslations } from "next-intl";
import type { Level } from "../parts/level";
import { POLICY_KINDS, type ReadPolicy } from "./policy";
import { PolicyForm } from "./policy-form";

export interface PoliciesPageProps {
  level: Level;
  /** The policies by the paths of their kinds. */
  policies: ReadonlyMap<string, ReadPolicy>;
  mayWrite: boolean;
}

export function PoliciesPage({ level, policies, mayWrite }: PoliciesPageProps) {
  const t = useTranslations();
  const isInstance = level === "instance";
  return (
    <>
      <h1>{t(isInstance ? "pages.instance_policies" : "pages.policies")}</h1>
      <p className="lead">{t(isInstance ? "settings.instancePoliciesLead" : "settings.policiesLead")}</p>
      {POLICY_KINDS.map(({ path }) => {
        const read = policies.get(path);
        return read && <PolicyForm key={path} path={path} {...read} level={level} mayWrite={mayWrite} />;
      })}
    </>
  );
}
