"use client";
// The views of an app's page as links, so that each has an address. An address with the anchor of an earlier version of
// the page, such as `#secrets`, leads to the view that has this part now.
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import type { AppView } from "./app-view";

const VIEW_OF_ANCHOR: Readonly<Record<string, AppView>> = {
  settings: "settings",
  vouching: "settings",
  connections: "settings",
  end: "settings",
  secrets: "credentials",
  keys: "credentials",
  attempts: "sign-ins",
};

export interface AppViewsProps {
  /** The address of the app's page. */
  address: string;
  views: readonly AppView[];
  view: AppView;
  /** The framework that the app was created for, which is kept in the address. */
  stack: string | undefined;
}

export function AppViews({ address, views, view, stack }: AppViewsProps) {
  const t = useTranslations();
  const hrefOf = (name: AppView) =>
    `${address}?${new URLSearchParams({ view: name, ...(stack !== undefined && { stack }) })}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    const meant = VIEW_OF_ANCHOR[location.hash.slice(1)];
    const isInAddress = new URLSearchParams(location.search).has("view");
    if (meant && meant !== view && !isInAddress && views.includes(meant)) location.replace(hrefOf(meant));
  }, []);
  return (
    <nav aria-label={t("directory.views")} className="views">
      {views.map((name) => (
        <a key={name} href={hrefOf(name)} aria-current={name === view ? "true" : undefined}>
          {t(`apps.by.view.${name}`)}
        </a>
      ))}
    </nav>
  );
}
