"use client";
// Downloads the audit log as a file, with the filters of the page.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ExportInstanceEvents, ExportEvents as ExportOrganizationEvents } from "../../../shared/generated/operations";
import { sendOperation } from "../calls/call";
import { Button } from "../parts/button";
import { downloadBlob } from "../parts/download";
import type { Level } from "../parts/level";
import { type EventFilters, eventQuery } from "./event";

const FORMATS = ["csv", "json"] as const;

export function ExportEvents({ level, filters }: { level: Level; filters: EventFilters }) {
  const t = useTranslations();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const save = async (format: (typeof FORMATS)[number]) => {
    if (state === "busy") return;
    setState("busy");
    const { eventTypes, ...query } = eventQuery(filters, Date.now());
    const response = await sendOperation(level === "instance" ? ExportInstanceEvents : ExportOrganizationEvents, {
      query: { ...query, format, eventTypes: eventTypes?.join() },
    }).catch(() => undefined);
    setState(response?.ok ? "idle" : "failed");
    if (response?.ok) downloadBlob(`audit-log.${format}`, await response.blob());
  };
  return (
    <div className="buttons">
      {FORMATS.map((format) => (
        <Button
          key={format}
          id={`export-${format}`}
          label={t("operations.exportAs", { format: format.toUpperCase() })}
          isDisabled={state === "busy"}
          onClick={() => void save(format)}
        />
      ))}
      <p role="status" className={state === "failed" ? "field-problem" : undefined}>
        {state === "busy" && t("operations.exporting")}
        {state === "failed" && t("frame.failed")}
      </p>
    </div>
  );
}
