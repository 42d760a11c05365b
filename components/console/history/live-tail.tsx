"use client";
// Shows new events as they happen, if the reader enables it: polls for the newest event every few seconds, except while
// the page is hidden, and reads the list again when there is a new one.
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { ListEvents, ListInstanceEvents } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { bodyOf, withQueries } from "../calls/queries";
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

function LiveTailSwitch({ level, filters, newest }: LiveTailProps) {
  const t = useTranslations();
  const id = useId();
  const refresh = useRefresh();
  const [isLive, setLive] = useState(false);
  const { data, isError, dataUpdatedAt } = useQuery({
    queryKey: ["newest event", level, filters],
    async queryFn({ signal }) {
      const body = { query: { limit: 1 }, ...eventQuery(filters, Date.now()) };
      return bodyOf(await callOperation(level === "instance" ? ListInstanceEvents : ListEvents, { body, signal }));
    },
    enabled: isLive,
    refetchInterval: INTERVAL,
    refetchOnWindowFocus: "always",
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each response
  useEffect(() => {
    if (isLive && data && data.result[0]?.position !== newest) refresh();
  }, [dataUpdatedAt]);

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
        <p role="status" className={isError ? "field-problem" : "hint"}>
          {isLive && (isError ? t("history.liveFailed") : t("history.liveOn"))}
        </p>
      </div>
    </div>
  );
}

export const LiveTail = withQueries(LiveTailSwitch);
