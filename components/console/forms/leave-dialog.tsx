"use client";
// Asks before navigation discards unsaved input.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import type { LeaveGuard } from "./use-leave-guard";

interface Question {
  guard: LeaveGuard;
  title: string;
  text: string;
  /** The input that would be lost. */
  children?: ReactNode;
}

export function LeaveDialog({ guard, title, text, children }: Question) {
  const t = useTranslations();
  return (
    <Dialog open={guard.isAsked} onClose={guard.stay} title={title} description={text}>
      {children}
      <div className="buttons">
        <Button id="leave" label={t("texts.leaveNow")} onClick={guard.leave} />
        <Button id="stay" look="primary" label={t("texts.stay")} onClick={guard.stay} />
      </div>
    </Dialog>
  );
}
