"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
// Sends a test message to the visitor's own verified address or phone, and shows the response of the provider.
import type { Schemas } from "../../../server/api/generated/operations";
import type { Refusal } from "../../../shared/refusal";
import { LoginName } from "../../ui/user-text";
import { useRefusalText } from "../calls/refusal-text";
import { useTurn } from "../calls/use-turn";
import type { TextAddress, TextScope } from "./address";
import { ask } from "./ask";
import { operationsOn } from "./operations";
import type { previewRequest } from "./text-state";

/** The polling interval in milliseconds, and the maximum number of polls. */
const LOOK_EVERY = 700;
const MAX_POLLS = 30;

export interface TrialProps {
  scope: TextScope;
  address: TextAddress;
  /** The current text; the preview follows with a delay. */
  wanted: ReturnType<typeof previewRequest>;
  /** Whether the message can be sent in all languages at once; only emails can. */
  hasRounds: boolean;
}

type Language = NonNullable<Schemas["SendMessageTextTrials"]["unsaved"]>["language"];

type Progress =
  | { step: "idle" | "sending" }
  | { step: "refused"; refusal: Refusal }
  | { step: "all"; recipient: string; count: number }
  | { step: "known"; recipient: string; trial: Pick<Schemas["TrialState"], "state" | "lastAnswer"> };

export function Trial({ scope, address, wanted, hasRounds }: TrialProps) {
  const t = useTranslations();
  const refusalText = useRefusalText();
  const [progress, setProgress] = useState<Progress>({ step: "idle" });
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);

  const begin = useTurn();
  const send = async () => {
    if (progress.step === "sending") return;
    const isLast = begin();
    setProgress({ step: "sending" });
    const { sendTrial, findTrial } = operationsOn(scope);
    const sent = await ask(sendTrial, { at: address, body: wanted });
    if (!sent?.ok) {
      if (sent) setProgress({ step: "refused", refusal: sent.refusal });
      return;
    }
    const { id, recipient } = sent.body;
    // Stops if another message was sent, whose progress is shown from then on.
    for (let look = 0; look < MAX_POLLS && isThere.current && isLast(); look++) {
      const found = await ask(findTrial, { at: { id } });
      if (!isLast()) return;
      if (!found?.ok) {
        if (found) setProgress({ step: "refused", refusal: found.refusal });
        return;
      }
      const { state, lastAnswer } = found.body;
      if (isThere.current) setProgress({ step: "known", recipient, trial: { state, lastAnswer } });
      if (state !== "queued" || lastAnswer !== null) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  };

  const sendAll = async () => {
    if (progress.step === "sending") return;
    begin();
    setProgress({ step: "sending" });
    const sent = await ask(operationsOn(scope).sendTrials, {
      // Only offered for types and languages of this operation (hasRounds).
      body: {
        type: address.type as Schemas["SendMessageTextTrials"]["type"],
        unsaved: { language: address.language as Language, fields: wanted.fields },
      },
    });
    if (!sent) return;
    if (!sent.ok) return setProgress({ step: "refused", refusal: sent.refusal });
    setProgress({ step: "all", recipient: sent.body.recipient, count: sent.body.languages.length });
  };

  return (
    <div className="trial">
      <button type="button" id="send-trial" aria-disabled={progress.step === "sending"} onClick={send}>
        {t("texts.sendTrial")}
      </button>
      {hasRounds && (
        <button
          type="button"
          id="send-trials"
          className="plain"
          aria-disabled={progress.step === "sending"}
          onClick={sendAll}
        >
          {t("texts.sendTrials")}
        </button>
      )}
      <div role="status">
        {progress.step === "all" && (
          <p>
            {t.rich("texts.trialRoundSent", {
              count: progress.count,
              recipient: () => <LoginName>{progress.recipient}</LoginName>,
            })}
          </p>
        )}
        {progress.step === "refused" && <p className="problem">{refusalText(progress.refusal)}</p>}
        {progress.step === "known" && (
          <>
            <p>
              {t.rich(`texts.by.trial.${progress.trial.state}`, {
                recipient: () => <LoginName>{progress.recipient}</LoginName>,
              })}
            </p>
            {progress.trial.lastAnswer !== null && progress.trial.state !== "kept" && (
              <p className="quiet">
                {t("mail.answer")}: <code dir="ltr">{progress.trial.lastAnswer}</code>
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
}
