// The pages that the visitor may open: those of the current organization, then those of the whole service. The current
// page is marked, for screen readers too. On a phone the list is folded into one line, without a script.
import { useTranslations } from "next-intl";
import { Name } from "../ui/user-text";
import { type ConsolePage, entryOf, type PageGroup, pageAddress } from "./pages";

export interface NavigationProps {
  pages: readonly ConsolePage[];
  organization: { id: string; name: string };
  /** Of the page that is shown. */
  path: string;
}

export function Navigation(props: NavigationProps) {
  const t = useTranslations();
  return (
    <>
      <nav aria-label={t("frame.navigation")} className="pages">
        <Groups {...props} />
      </nav>
      <details className="pages-menu">
        <summary>{t("frame.menu")}</summary>
        <nav aria-label={t("frame.navigation")}>
          <Groups {...props} />
        </nav>
      </details>
    </>
  );
}

function Groups({ pages, organization, path }: NavigationProps) {
  const t = useTranslations();
  const here = currentPage(pages, organization.id, path);
  const groups: [PageGroup, React.ReactNode][] = [
    ["home", undefined],
    ["organization", <Name key="name">{organization.name}</Name>],
    ["instance", t("frame.service")],
  ];
  return groups.map(([group, heading]) => {
    const listed = pages.filter((page) => entryOf(page).group === group);
    if (listed.length === 0) return null;
    return (
      <div className="page-group" key={group}>
        {heading && <p className="page-group-name">{heading}</p>}
        <ul>
          {listed.map((page) => (
            <li key={page}>
              <a href={pageAddress(page, organization.id)} aria-current={page === here ? "page" : undefined}>
                {t(`pages.${page}`)}
              </a>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** The page with the longest address that the path is at or below; an app's is below its project's, but one of the apps. */
function currentPage(pages: readonly ConsolePage[], organizationId: string, path: string): ConsolePage | undefined {
  if (/\/projects\/[^/]+\/apps\//.test(path) && pages.includes("apps")) return "apps";
  const isAt = (address: string) => path === address || (address !== "/console" && path.startsWith(`${address}/`));
  return pages
    .map((page) => ({ page, address: pageAddress(page, organizationId) }))
    .filter(({ address }) => isAt(address))
    .sort((one, other) => other.address.length - one.address.length)[0]?.page;
}
