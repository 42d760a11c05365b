// Reads the branding page of a level: the draft, and whether it differs from what everybody sees.
import { notFound } from "next/navigation";
import type { Brand, BrandWarning } from "../../components/console/settings/brand";
import { BrandingPage } from "../../components/console/settings/branding-page";
import { type PolicyLevel, policyAddress } from "../../components/console/settings/policy";
import type { Viewer } from "../../server/service/service";

export async function brandingPage(viewer: Viewer, level: PolicyLevel, mayWrite: boolean) {
  const address = policyAddress(level, "label");
  const [draft, shown] = await Promise.all([
    viewer.call<{ policy: Brand; warnings?: BrandWarning[] }>("GET", `${address}/_preview`),
    viewer.call<{ policy: Brand }>("GET", address),
  ]);
  if (!draft.ok || !shown.ok) notFound();
  const look = ({ details: _, ...settings }: Brand) => JSON.stringify(settings);
  return (
    <BrandingPage
      level={level}
      draft={draft.body.policy}
      warnings={draft.body.warnings ?? []}
      isShown={look(draft.body.policy) === look(shown.body.policy)}
      mayWrite={mayWrite}
    />
  );
}
