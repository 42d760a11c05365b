"use client";
// One thing that a page can have done: busy while it is asked for, pressed once, told to everybody how it ended.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { callConsole } from "./call";

export interface ActionButtonProps {
  id: string;
  method: "POST" | "PUT" | "DELETE";
  /** Of the operation, as in `/admin/v1/…`. */
  path: string;
  label: string;
  /** Said once it is done. */
  done: string;
  onDone(): void;
}

export function ActionButton({ id, method, path, label, done, onDone }: ActionButtonProps) {
  const t = useTranslations();
  const [state, setState] = useState<"idle" | "busy" | "done" | "failed">("idle");
  const act = async () => {
    if (state === "busy") return;
    setState("busy");
    const { ok } = await callConsole(method, path).catch(() => ({ ok: false }));
    setState(ok ? "done" : "failed");
    if (ok) onDone();
  };
  return (
    <div className="action">
      {state !== "done" && (
        <button type="button" className="primary" id={id} aria-disabled={state === "busy"} onClick={act}>
          {label}
        </button>
      )}
      <p role="status" className={state === "failed" ? "problem" : undefined}>
        {state === "done" && done}
        {state === "failed" && t("frame.failed")}
      </p>
    </div>
  );
}
