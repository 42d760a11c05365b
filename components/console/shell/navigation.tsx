"use client";
// The pages that the visitor may open, in areas: those of the current organization, then those of the whole service in
// one area. The current page is marked, also for screen readers. Each area starts with its most used page, which has
// the icon. On a phone the list is behind a button of the bar. It works without scripts.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type ConsolePage, entryOf, pageAddress } from "../../../shared/pages";
import { Folded } from "../parts/folded";
import { Icon, type IconName } from "../parts/icons";
import { useFrame } from "./frame-facts";

/** The areas; at most nine, so that they can be taken in at a glance. */
export const AREAS: readonly { icon: IconName; pages: readonly ConsolePage[] }[] = [
  { icon: "overview", pages: ["overview"] },
  { icon: "organization", pages: ["organization"] },
  { icon: "apps", pages: ["apps", "projects", "playground"] },
  { icon: "people", pages: ["users", "machines", "members"] },
  { icon: "messages", pages: ["texts", "words", "mail", "mail_settings", "sms"] },
  { icon: "rules", pages: ["policies", "identity_providers", "app_approvals", "branding"] },
  { icon: "activity", pages: ["attempts", "sessions", "events"] },
];

export function Navigation() {
  const t = useTranslations();
  const { organization } = useFrame();
  return (
    organization && (
      <nav aria-label={t("frame.navigation")} className="pages">
        <Areas organizationId={organization.id} />
      </nav>
    )
  );
}

/** The navigation in the bar, for narrow screens. */
export function NavigationMenu() {
  const t = useTranslations();
  const { organization } = useFrame();
  return (
    organization && (
      <Folded
        className="pages-menu"
        summary={
          <>
            <Icon name="menu" />
            <span className="hidden">{t("frame.menu")}</span>
          </>
        }
      >
        <nav aria-label={t("frame.navigation")}>
          <Areas organizationId={organization.id} />
        </nav>
      </Folded>
    )
  );
}

function Areas({ organizationId }: { organizationId: string }) {
  const t = useTranslations();
  const { pages, path } = useFrame();
  const here = currentPage(pages, organizationId, path);
  const link = (page: ConsolePage, icon?: IconName) => (
    <a href={pageAddress(page, organizationId)} aria-current={page === here ? "page" : undefined}>
      {icon && <Icon name={icon} />}
      {t(`pages.${page}`)}
    </a>
  );
  const ofService = pages.filter((page) => entryOf(page).group === "instance");
  // Everything is visible until a page is chosen; afterwards the user decides.
  const isOfService = here === undefined || here === "overview" || ofService.includes(here);
  const [isServiceOpen, setServiceOpen] = useState(isOfService);
  return (
    <ul className="areas">
      {AREAS.map((area) => {
        const [first, ...others] = area.pages.filter((page) => pages.includes(page));
        if (first === undefined) return null;
        return (
          <li key={area.icon}>
            {link(first, area.icon)}
            {others.length > 0 && <Links pages={others} link={link} />}
          </li>
        );
      })}
      {ofService.length > 0 && (
        <li>
          <details
            className="area"
            open={isServiceOpen || isOfService}
            onToggle={(event) => setServiceOpen(event.currentTarget.open)}
          >
            <summary>
              <Icon name="service" />
              {t("frame.service")}
            </summary>
            <Links pages={ofService} link={link} />
          </details>
        </li>
      )}
    </ul>
  );
}

function Links({ pages, link }: { pages: readonly ConsolePage[]; link: (page: ConsolePage) => React.ReactNode }) {
  return (
    <ul>
      {pages.map((page) => (
        <li key={page}>{link(page)}</li>
      ))}
    </ul>
  );
}

/**
 * Returns the page with the longest address that is equal to the path or a parent of it. An app's address is below its
 * project's, but the page is that of the apps.
 */
function currentPage(pages: readonly ConsolePage[], organizationId: string, path: string): ConsolePage | undefined {
  if (path.startsWith("/console/playground/")) return "playground"; // the redirect address of a sign-in
  if (/\/projects\/[^/]+\/apps\//.test(path) && pages.includes("apps")) return "apps";
  const isAt = (address: string) => path === address || (address !== "/console" && path.startsWith(`${address}/`));
  return pages
    .map((page) => ({ page, address: pageAddress(page, organizationId) }))
    .filter(({ address }) => isAt(address))
    .sort((one, other) => other.address.length - one.address.length)[0]?.page;
}
