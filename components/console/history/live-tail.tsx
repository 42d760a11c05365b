"use client";
// Shows new events as they happen, if the reader enables it.
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { onDemand } from "../parts/on-demand";
import type { NewestEventProps } from "./newest-event";

const Newest = onDemand(() => import("./newest-event").then(({ NewestEvent }) => NewestEvent));

export function LiveTail(props: Omit<NewestEventProps, "onAnswer">) {
  const t = useTranslations();
  const id = useId();
  const [isLive, setLive] = useState(false);
  const [isFailed, setFailed] = useState(false);
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
        <p role="status" className={isLive && isFailed ? "field-problem" : "hint"}>
          {isLive && (isFailed ? t("history.liveFailed") : t("history.liveOn"))}
        </p>
      </div>
      {isLive && <Newest.Part {...props} onAnswer={setFailed} />}
    </div>
  );
}
