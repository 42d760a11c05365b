"use client";
// The languages of one message as tabs, with the level of their text and how much is customized. Arrow keys move
// between them; a language can also be found by typing its name, in that language or in the language of the page.
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, useRef, useState } from "react";
import { useKnownLanguages, useLanguageNames } from "../parts/known-languages";
import type { Level } from "../parts/level";
import { badgeOf, type CustomizedOverview } from "./overview";
import { useTextLabels } from "./text-labels";

export interface LanguageTabsProps {
  languages: readonly string[];
  message: CustomizedOverview;
  level: Level;
  current: string;
  /** The id of the panel that the tabs control. */
  panel: string;
  isUnsaved(language: string): boolean;
  onOpen(language: string): void;
}

export function LanguageTabs(props: LanguageTabsProps) {
  const { message, level, current, panel, isUnsaved, onOpen } = props;
  const t = useTranslations();
  const words = useTextLabels();
  const { endonymOf } = useLanguageNames();
  const known = useKnownLanguages();
  const languages = known.map(({ tag }) => tag).filter((tag) => props.languages.includes(tag));
  const locale = useLocale();
  const list = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState("");
  const shown =
    wanted === "" ? languages : languages.filter((language) => isNamed(language, endonymOf(language), wanted, locale));
  const entry = shown.includes(current) ? current : shown[0];

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const here = shown.indexOf(entry ?? "");
    const steps: Record<string, number> = {
      ArrowRight: here + (isRtl ? -1 : 1),
      ArrowLeft: here + (isRtl ? 1 : -1),
      Home: 0,
      End: shown.length - 1,
    };
    const step = steps[event.key];
    const next = step === undefined ? undefined : shown[(step + shown.length) % shown.length];
    if (next === undefined) return;
    event.preventDefault();
    onOpen(next);
    list.current?.querySelector<HTMLElement>(`[data-language="${next}"]`)?.focus();
  };

  return (
    <div className="languages-of-text">
      <input
        type="search"
        className="language-search"
        aria-label={t("texts.findLanguage")}
        placeholder={t("texts.findLanguage")}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !entry) return;
          onOpen(entry);
          setWanted("");
        }}
      />
      <div role="tablist" aria-label={t("texts.languages")} className="language-tabs" ref={list} onKeyDown={onKeyDown}>
        {shown.map((language) => {
          const badge = badgeOf(message, level, language);
          const part = words.part(badge);
          return (
            <button
              key={language}
              type="button"
              role="tab"
              id={`language-${language}`}
              data-language={language}
              aria-selected={language === current}
              aria-controls={panel}
              tabIndex={language === entry ? 0 : -1}
              ref={language === current ? intoView : undefined}
              onClick={() => onOpen(language)}
            >
              <span className="language-name">
                <bdi lang={language}>{endonymOf(language)}</bdi>
                {isUnsaved(language) && <Unsaved />}
              </span>
              <span className={`badge ${badge.state}`}>
                {words.badge(badge)}
                {part && <span className="part">{part}</span>}
              </span>
            </button>
          );
        })}
        {shown.length === 0 && <p className="quiet">{t("frame.nothingFound")}</p>}
      </div>
    </div>
  );
}

/** Marks unsaved changes: a dot, and a word for screen readers. */
export function Unsaved() {
  const t = useTranslations();
  return (
    <span className="unsaved">
      <span className="hidden">{t("texts.unsaved")}</span>
    </span>
  );
}

/** Scrolls only the list of tabs, not the page. */
const intoView = (element: HTMLElement | null): void => {
  const list = element?.parentElement;
  if (!list) return;
  const tab = element.getBoundingClientRect();
  const room = list.getBoundingClientRect();
  if (tab.left >= room.left && tab.right <= room.right) return;
  list.scrollBy({ left: tab.left + tab.width / 2 - room.left - room.width / 2 });
};

function isNamed(language: string, endonym: string, wanted: string, locale: string): boolean {
  const inLocale = new Intl.DisplayNames([locale], { type: "language" }).of(language) ?? "";
  const typed = wanted.trim().toLocaleLowerCase(locale);
  return [language, endonym, inLocale].some((name) => name.toLocaleLowerCase(locale).includes(typed));
}
