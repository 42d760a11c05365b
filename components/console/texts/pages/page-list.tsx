"use client";
// The pages and their states, which are listed below the page's name.
import { useTranslations } from "next-intl";
import type { MouseEvent } from "react";
import type { TextScope } from "../address";
import { type WordsAddress, wordsAddress } from "../page-address";
import type { WordsExplanation } from "./words-kind";

export interface PageListProps {
  scope: TextScope;
  pages: WordsExplanation["pages"];
  current: WordsAddress;
  onOpen(page: string): void;
}

export function PageList({ scope, pages, current, onOpen }: PageListProps) {
  const t = useTranslations();
  const open = (event: MouseEvent, page: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // opens in its own tab
    event.preventDefault();
    onOpen(page);
  };
  return (
    <nav aria-label={t("texts.pages")} className="message-list page-list">
      <ul>
        {pages.map(({ id, title, state }, index) => (
          <li key={id} className={pages[index - 1]?.title === title ? "state-of-page" : undefined}>
            <a
              href={wordsAddress(scope, { ...current, page: id })}
              aria-current={id === current.page ? "page" : undefined}
              onClick={(event) => open(event, id)}
            >
              <span>{title}</span>
              {state !== undefined && <span className="quiet state-name">{state}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
