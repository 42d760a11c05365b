"use client";
// The pages a person may open; the one he is on is marked for everybody.
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ConsolePage } from "../../server/http/service";

const ADDRESSES: Readonly<Record<ConsolePage, string>> = { overview: "/console", mail: "/console/mail" };

export function Navigation({ pages }: { pages: readonly ConsolePage[] }) {
  const t = useTranslations();
  const here = usePathname();
  const isHere = (address: string) =>
    address === "/console" ? here === address : here === address || here.startsWith(`${address}/`);
  return (
    <nav aria-label={t("frame.navigation")} className="pages">
      <ul>
        {pages.map((page) => (
          <li key={page}>
            <a href={ADDRESSES[page]} aria-current={isHere(ADDRESSES[page]) ? "page" : undefined}>
              {t(`pages.${page}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
