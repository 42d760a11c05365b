"use client";
// What an app does later: refresh its tokens, and sign out. The console shares the browser session, so a warning says
// that signing out also ends the console's session.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type AuthorizationAttempt, type Exchange, proofOf, refreshTokens } from "../apps/sign-in-flow";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { readJwt } from "./claims";

export interface NextStepsProps {
  attempt: AuthorizationAttempt;
  parameters: Readonly<Record<string, string>>;
  exchanges: readonly Exchange[];
  /** The session of the console. */
  sessionId: string;
  isBusy: boolean;
  onExchange(exchange: Exchange): void;
  attemptTo(work: () => Promise<void>): Promise<void>;
}

export function NextSteps(props: NextStepsProps) {
  const { attempt, parameters, exchanges, sessionId, isBusy, onExchange, attemptTo } = props;
  const t = useTranslations();
  const answers = [parameters, ...exchanges.map(({ answer }) => answer as Record<string, unknown>)];
  const newest = (name: string) =>
    answers.map((answer) => answer?.[name]).findLast((value): value is string => typeof value === "string");
  const refreshToken = newest("refresh_token");
  const idToken = newest("id_token");
  return (
    <div className="buttons">
      {refreshToken && proofOf(attempt.app) === "none" && (
        <Button
          id="refresh-tokens"
          label={t("playground.refresh")}
          isDisabled={isBusy}
          onClick={() => attemptTo(() => refreshTokens(attempt, refreshToken, onExchange))}
        />
      )}
      {idToken && <SignOut issuer={attempt.issuer} idToken={idToken} sessionId={sessionId} />}
    </div>
  );
}

function SignOut({ issuer, idToken, sessionId }: { issuer: string; idToken: string; sessionId: string }) {
  const t = useTranslations();
  const [isAsking, setAsking] = useState(false);
  const address = `${issuer}/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: idToken })}`;
  const isShared = readJwt(idToken)?.payload.sid === sessionId;
  if (!isShared) {
    return (
      <a className="button" id="end-session" href={address}>
        {t("playground.signOut")}
      </a>
    );
  }
  return (
    <Dialog
      title={t("playground.signOutTitle")}
      description={t("playground.signOutText")}
      trigger={{ id: "end-session", label: t("playground.signOut") }}
      open={isAsking}
      onOpenChange={setAsking}
    >
      <div className="buttons">
        <a className="button danger" id="end-both" href={address}>
          {t("playground.signOutBoth")}
        </a>
        <Button label={t("frame.cancel")} onClick={() => setAsking(false)} />
      </div>
    </Dialog>
  );
}
