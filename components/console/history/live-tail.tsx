"use client";
// Shows new events as they happen, if the reader enables it: polls for the newest event every few seconds, except while
// the page is hidden, and reads the list again when there is a new one.
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { ListEvents, ListInstanceEvents } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { useRefresh } from "../calls/refresh";
import type { Level } from "../parts/level";
import { type EventFilters, eventQuery } from "./event";

/** The polling interval in milliseconds. */
const INTERVAL = 5_000;

export interface LiveTailProps {
  level: Level;
  filters: EventFilters;
  /** The position of the first event that is shown; undefined if none exists. */
  newest: string | undefined;
}

export function LiveTail({ level, filters, newest }: LiveTailProps) {
  const t = useTranslations();
  const id = useId();
  const refresh = useRefresh();
  const [isLive, setLive] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const current = { level, filters, newest, refresh };
  const latest = useRef(current);
  latest.current = current;

  useEffect(() => {
    if (!isLive) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looks = 0;
    const look = async () => {
      const { signal } = leaving;
      const own = ++looks;
      const found = document.hidden ? "hidden" : await newestOf(latest.current, signal).catch(() => "failed" as const);
      if (signal.aborted || own !== looks) return; // another loop has started and continues
      setFailed(found === "failed");
      if (typeof found === "object" && found.position !== latest.current.newest) latest.current.refresh();
      timer = setTimeout(look, INTERVAL); // after the response, so that a slow server does not get overlapping requests
    };
    const comeBack = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void look();
    };
    void look();
    document.addEventListener("visibilitychange", comeBack);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", comeBack);
    };
  }, [isLive]);

  return (
    <div className="switch-field live-tail">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its state (HTML-AAM)
        role="switch"
        className="switch"
        id={id}
        checked={isLive}
        onChange={({ target }) => setLive(target.checked)}
      />
      <div>
        <label htmlFor={id}>{t("history.live")}</label>
        <p role="status" className={hasFailed ? "field-problem" : "hint"}>
          {isLive && (hasFailed ? t("history.liveFailed") : t("history.liveOn"))}
        </p>
      </div>
    </div>
  );
}

/** Returns the newest event that matches the filters. */
async function newestOf(
  { level, filters }: Pick<LiveTailProps, "level" | "filters">,
  signal: AbortSignal,
): Promise<{ position: string | undefined } | "failed"> {
  const body = { query: { limit: 1 }, ...eventQuery(filters, Date.now()) };
  const answer = await callOperation(level === "instance" ? ListInstanceEvents : ListEvents, { body, signal });
  return answer.ok ? { position: answer.body.result[0]?.position } : "failed";
}
