"use client";
// Asks before a link leads away from unsaved texts.
import { useTranslations } from "next-intl";
import { Dialog } from "../dialog";
import type { LeaveGuard } from "../use-leave-guard";
import { parseAddress } from "./address";
import { endonymOf, useWords } from "./words";

export function LeaveDialog({ guard, unsaved }: { guard: LeaveGuard; unsaved: readonly string[] }) {
  const t = useTranslations();
  const words = useWords();
  return (
    <Dialog
      open={guard.wanted !== undefined}
      onOpenChange={(wanted) => !wanted && guard.stay()}
      title={t("texts.leaveTitle")}
      description={t("texts.leaveText")}
    >
      <ul className="plan">
        {unsaved.map((key) => {
          const address = parseAddress(...(key.split("/") as [string, string]));
          return (
            address && (
              <li key={key}>
                <span>
                  {words.message(address.type)} · <bdi lang={address.language}>{endonymOf(address.language)}</bdi>
                </span>
              </li>
            )
          );
        })}
      </ul>
      <div className="buttons">
        <button type="button" id="leave" onClick={guard.leave}>
          {t("texts.leaveNow")}
        </button>
        <button type="button" id="stay" className="primary" onClick={guard.stay}>
          {t("texts.stay")}
        </button>
      </div>
    </Dialog>
  );
}
