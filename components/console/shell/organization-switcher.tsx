"use client";
// Switches to another organization and stays on the same kind of page.
import { useTranslations } from "next-intl";
import { organizationAddress } from "../../../shared/pages";
import { Name } from "../../ui/user-text";
import { Finder } from "../dialogs/finder";
import { type FoundOrganization, findOrganizations } from "../lists/find-organizations";
import { useFrame } from "./frame-facts";

export interface OrganizationSwitcherProps {
  /** The organizations of a visitor who may not see all of them. */
  managed: readonly FoundOrganization[] | undefined;
}

export function OrganizationSwitcher({ managed }: OrganizationSwitcherProps) {
  const t = useTranslations();
  const { organization } = useFrame();
  if (!organization) return null;
  return (
    <Finder
      id="switch-organization"
      label={t("frame.switchOrganization")}
      trigger={
        <>
          <span className="hidden">{t("frame.currentOrganization")}: </span>
          <span title={organization.name}>
            <Name>{organization.name}</Name>
          </span>
          <span aria-hidden="true"> ▾</span>
        </>
      }
      search={async (typed, show) => {
        const found = await findOrganizations(typed, managed);
        const page = samePage(location.pathname);
        const items = found.map(({ id, name, primaryDomain }) => ({
          href: `${organizationAddress(id)}${page}`,
          label: name,
          detail: primaryDomain ?? id,
        }));
        show([{ value: t("frame.organizations"), items }]);
      }}
    />
  );
}

/** Returns the part of the path that also exists in other organizations. */
function samePage(path: string): string {
  return /^\/console\/organizations\/[^/]+(\/[^/]+)/.exec(path)?.[1] ?? "";
}
