// The views of a page as links, so that each has an address.
import { useTranslations } from "next-intl";
import { OldAnchors } from "./old-anchors";

interface ViewLink {
  name: string;
  label: string;
  href: string;
  /** The anchors that an earlier version of the page had for what is in this view now. */
  anchors?: readonly string[];
}

export function Views({ views, view }: { views: readonly ViewLink[]; view: string }) {
  const t = useTranslations();
  const others = views.filter(({ name }) => name !== view);
  return (
    <nav aria-label={t("directory.views")} className="views">
      {views.map(({ name, label, href }) => (
        <a key={name} href={href} aria-current={name === view ? "true" : undefined}>
          {label}
        </a>
      ))}
      <OldAnchors
        places={Object.fromEntries(others.flatMap(({ href, anchors = [] }) => anchors.map((anchor) => [anchor, href])))}
      />
    </nav>
  );
}
