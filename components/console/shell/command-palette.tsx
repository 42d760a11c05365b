"use client";
// The command palette: finds pages at once, organizations and people through the server.
import { useTranslations } from "next-intl";
import { entryOf, organizationAddress, pageAddress } from "../../../shared/pages";
import { type DestinationGroup, Finder } from "../dialogs/finder";
import { findUsers } from "../directory/find-users";
import { type FoundOrganization, findOrganizations } from "../lists/find-organizations";
import { Icon } from "../parts/icons";
import { useFrame } from "./frame-facts";

export interface CommandPaletteProps {
  /** The organizations of a visitor who may not see all of them. */
  managed: readonly FoundOrganization[] | undefined;
}

export function CommandPalette({ managed }: CommandPaletteProps) {
  const t = useTranslations();
  const { pages, organization } = useFrame();
  if (!organization) return null;
  const matching = (typed: string): DestinationGroup => {
    const wanted = typed.toLocaleLowerCase();
    const all = pages.map((page) => ({
      href: pageAddress(page, organization.id),
      label: t(`pages.${page}`),
      detail: { home: undefined, organization: organization.name, instance: t("frame.service") }[entryOf(page).group],
    }));
    const items = all.filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
    return { value: t("frame.menu"), items };
  };
  const search = async (typed: string, show: (groups: readonly DestinationGroup[]) => void) => {
    const found = [matching(typed)];
    show(found);
    if (typed === "") return;
    const level = pages.includes("everybody") ? "instance" : "organization";
    const [organizations, people] = await Promise.all([
      findOrganizations(typed, managed),
      pages.includes("users") || level === "instance" ? findUsers(typed, level) : [],
    ]);
    show([
      ...found,
      {
        value: t("frame.organizations"),
        items: organizations.map(({ id, name, primaryDomain }) => ({
          href: organizationAddress(id),
          label: name,
          detail: primaryDomain ?? id,
        })),
      },
      {
        value: t("pages.users"),
        items: people.map(({ value, label, detail, organizationId, page }) => ({
          href: `${pageAddress(page, organizationId)}/${encodeURIComponent(value)}`,
          label,
          detail,
        })),
      },
    ]);
  };
  return (
    <Finder
      id="palette"
      label={t("frame.goTo")}
      trigger={
        <>
          <Icon name="search" />
          <span className="wide">{t("frame.goTo")}</span>
          <span className="key wide" aria-hidden="true">
            Ctrl K
          </span>
        </>
      }
      shortcut="k"
      search={(typed, show) => void search(typed, show)}
    />
  );
}
