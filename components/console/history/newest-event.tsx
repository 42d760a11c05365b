"use client";
// Polls for the newest event every few seconds, except while the page is hidden, and reads the list again when there is
// a new one.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ListEvents, ListInstanceEvents } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { bodyOf, withQueries } from "../calls/queries";
import { useRefresh } from "../calls/refresh";
import type { Level } from "../parts/level";
import { type EventFilters, eventQuery } from "./event";

/** The polling interval in milliseconds. */
const INTERVAL = 5_000;

export interface NewestEventProps {
  level: Level;
  filters: EventFilters;
  /** The position of the first event that is shown; undefined if none exists. */
  newest: string | undefined;
  onAnswer(isFailed: boolean): void;
}

function Newest({ level, filters, newest, onAnswer }: NewestEventProps) {
  const refresh = useRefresh();
  const { data, isError, dataUpdatedAt } = useQuery({
    queryKey: ["newest event", level, filters],
    async queryFn({ signal }) {
      const body = { query: { limit: 1 }, ...eventQuery(filters, Date.now()) };
      return bodyOf(await callOperation(level === "instance" ? ListInstanceEvents : ListEvents, { body, signal }));
    },
    refetchInterval: INTERVAL,
    refetchOnWindowFocus: "always",
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each response
  useEffect(() => {
    if (data && data.result[0]?.position !== newest) refresh();
  }, [dataUpdatedAt]);

  useEffect(() => onAnswer(isError), [isError, onAnswer]);
  return null;
}

export const NewestEvent = withQueries(Newest);
