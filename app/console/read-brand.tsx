// Reads the data of a level's branding page: the draft, and whether it differs from the published branding.

import { notFound } from "next/navigation";
import { getLocale } from "next-intl/server";
import type { Level } from "../../components/console/parts/level";
import { BRAND_OPERATIONS, firstPreview, type LabelPolicy } from "../../components/console/settings/brand";
import { BrandingPage } from "../../components/console/settings/branding-page";
import type { Viewer } from "../../server/service/service";
import {
  GetCustomPreviewLabelPolicy,
  GetDefaultLabelPolicy,
  GetInstanceLabelPolicy,
  GetInstancePreviewLabelPolicy,
  GetLabelPolicy,
} from "../../shared/generated/operations";

export async function brandingPage(viewer: Viewer, level: Level, mayWrite: boolean) {
  const isInstance = level === "instance";
  const [draft, shown, inherited] = await Promise.all([
    viewer.call(isInstance ? GetInstancePreviewLabelPolicy : GetCustomPreviewLabelPolicy),
    viewer.call(isInstance ? GetInstanceLabelPolicy : GetLabelPolicy),
    isInstance ? undefined : viewer.call(GetDefaultLabelPolicy),
  ]);
  if (!draft.ok || !shown.ok) notFound();
  const preview = firstPreview(draft.body.policy, await getLocale());
  const judged = await viewer.call(BRAND_OPERATIONS[level].render, { body: preview });
  const look = ({ details: _, ...settings }: LabelPolicy) => JSON.stringify(settings);
  return (
    <BrandingPage
      level={level}
      draft={draft.body.policy}
      inherited={inherited?.ok ? inherited.body.policy : undefined}
      warnings={draft.body.warnings}
      isShown={look(draft.body.policy) === look(shown.body.policy)}
      contrasts={(judged.ok && judged.body.contrasts) || []}
      mayWrite={mayWrite}
    />
  );
}
