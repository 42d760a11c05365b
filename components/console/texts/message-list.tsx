"use client";
// The messages, grouped by purpose, each with the number of languages in which it is customized.
import { useTranslations } from "next-intl";
import type { MouseEvent } from "react";
import type { MessageGroup } from "../../../server/service/service";
import type { Level } from "../parts/level";
import { type TextAddress, type TextScope, textAddress } from "./address";
import { Unsaved } from "./language-tabs";
import type { MessageType } from "./messages";
import { customizedLanguages, messageOf, type TextsOverview } from "./overview";
import { useTextLabels } from "./text-labels";

export interface MessageListProps {
  scope: TextScope;
  level: Level;
  groups: readonly MessageGroup[];
  overview: TextsOverview;
  current: TextAddress;
  isUnsaved(type: MessageType): boolean;
  onOpen(type: MessageType): void;
}

export function MessageList({ scope, level, groups, overview, current, isUnsaved, onOpen }: MessageListProps) {
  const t = useTranslations();
  const words = useTextLabels();
  const open = (event: MouseEvent, type: MessageType) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // opens in its own tab
    event.preventDefault();
    onOpen(type);
  };
  return (
    <nav aria-label={t("texts.messages")} className="message-list">
      {groups.map(({ purpose, types }) => (
        <div key={purpose}>
          <h2 id={`purpose-${purpose}`}>{t(`texts.by.purpose.${purpose}`)}</h2>
          <ul aria-labelledby={`purpose-${purpose}`}>
            {types.map((type) => (
              <li key={type}>
                <a
                  href={textAddress(scope, { ...current, type })}
                  aria-current={type === current.type ? "page" : undefined}
                  onClick={(event) => open(event, type)}
                >
                  <span>
                    {words.message(type)}
                    {isUnsaved(type) && <Unsaved />}
                  </span>
                  <span className="quiet">
                    {t("texts.customizedIn", { count: customizedLanguages(messageOf(overview, type), level) })}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
