"use client";
// The result for each address: who gets an invitation, and what is wrong with the others.
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import type { AnswerOf } from "../../../shared/declared";
import { LoginName } from "../../ui/user-text";
import { useRefusalText } from "../calls/refusal-text";

type Report = AnswerOf<"InviteUsers">;
type Row = Report["results"][number];

/**
 * The results.
 * @param users the address of the list of users
 */
export function InviteResults({ report, users }: { report: Report; users: string }) {
  const t = useTranslations();
  const refusalText = useRefusalText();
  const container = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new report
  useEffect(() => container.current?.focus(), [report]);
  const refused = report.results.filter(({ error }) => error);
  const invited = report.invited > 0 ? report.results.filter(({ error }) => !error) : [];
  const address = ({ email, userId }: Row): ReactNode => {
    const shown = <LoginName>{email}</LoginName>;
    return userId === undefined ? shown : <a href={`${users}/${encodeURIComponent(userId)}`}>{shown}</a>;
  };
  const isNothing = invited.length === 0;
  return (
    <div ref={container} tabIndex={-1} role={isNothing ? "alert" : "status"} className="invite-results">
      {!isNothing && (
        <div className="banner">
          <p>{t("directory.invitedMany", { count: invited.length })}</p>
          <ul>
            {invited.map((row) => (
              <li key={row.index}>{address(row)}</li>
            ))}
          </ul>
        </div>
      )}
      {refused.length > 0 && (
        <div className="problem">
          <p>{isNothing ? t("directory.inviteRefused") : t("directory.notInvitedMany", { count: refused.length })}</p>
          <ul>
            {refused.map((row) => (
              <li key={row.index}>
                {address(row)}: {row.error && refusalText(row.error)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
