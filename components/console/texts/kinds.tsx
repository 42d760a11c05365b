// Links between the editors of the messages and of the page texts.
import { useTranslations } from "next-intl";
import { type TextScope, textsAddress } from "./address";

export type TextKindName = "messages" | "pages";

export function TextKinds({ scope, current }: { scope: TextScope; current: TextKindName }) {
  const t = useTranslations();
  const base = textsAddress(scope);
  const kinds = [
    { kind: "messages", href: base, name: t("texts.messages") },
    { kind: "pages", href: `${base}/pages`, name: t("texts.pages") },
  ] as const;
  return (
    <nav aria-label={t("texts.kinds")} className="text-kinds">
      {kinds.map(({ kind, href, name }) => (
        <a key={kind} href={href} aria-current={kind === current ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
