"use client";
// Sends a test message to the visitor's own verified address or phone, and shows the response of the provider.
import { type QueryState, useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import { LoginName } from "../../ui/user-text";
import { bodyOf, operationQuery, type RefusedQuery } from "../calls/queries";
import { useRefusalText } from "../calls/refusal-text";
import { Button } from "../parts/button";
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

/** A test that was sent: one, with its id, or one for each language. */
type Sent = { recipient: string } & (
  | { id: string; languages: undefined }
  | { id: undefined; languages: readonly string[] }
);

type Language = NonNullable<Schemas["SendMessageTextTrials"]["unsaved"]>["language"];

export function Trial({ scope, address, wanted, hasRounds }: TrialProps) {
  const t = useTranslations();
  const refusalText = useRefusalText();
  const { sendTrial, sendTrials, findTrial } = operationsOn(scope);
  /** Sends to the visitor once, or in all languages. A later test replaces the state of an earlier one. */
  const { data, error, isPending, mutate } = useMutation<Sent, RefusedQuery, "once" | "all">({
    async mutationFn(extent) {
      if (extent === "once")
        return { ...bodyOf(await ask(sendTrial, { at: address, body: wanted })), languages: undefined };
      const unsaved = { language: address.language as Language, fields: wanted.fields };
      // Only offered for types and languages of this operation (hasRounds).
      const type = address.type as Schemas["SendMessageTextTrials"]["type"];
      return { id: undefined, ...bodyOf(await ask(sendTrials, { body: { type, unsaved } })) };
    },
  });
  const { data: trial, error: lost } = useQuery({
    ...operationQuery(findTrial, { at: { id: data?.id ?? "" } }),
    enabled: data?.id !== undefined,
    refetchInterval: ({ state }) => !isKnown(state) && LOOK_EVERY,
  });
  const send = (extent: "once" | "all") => !isPending && mutate(extent);
  const refusal = error?.refusal ?? lost?.refusal;

  return (
    <div className="trial">
      <Button id="send-trial" label={t("texts.sendTrial")} isDisabled={isPending} onClick={() => send("once")} />
      {hasRounds && (
        <Button
          id="send-trials"
          look="plain"
          label={t("texts.sendTrials")}
          isDisabled={isPending}
          onClick={() => send("all")}
        />
      )}
      <div role="status">
        {data?.languages && (
          <p>
            {t.rich("texts.trialRoundSent", {
              count: data.languages.length,
              recipient: () => <LoginName>{data.recipient}</LoginName>,
            })}
          </p>
        )}
        {refusal && <p className="problem">{refusalText(refusal)}</p>}
        {data && trial && !refusal && (
          <>
            <p>
              {t.rich(`texts.by.trial.${trial.state}`, { recipient: () => <LoginName>{data.recipient}</LoginName> })}
            </p>
            {trial.lastAnswer !== null && trial.state !== "kept" && (
              <p className="quiet">
                {t("mail.answer")}: <code dir="ltr">{trial.lastAnswer}</code>
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** Whether the provider has answered, or is not asked any more. */
function isKnown({ data, error, dataUpdateCount }: QueryState<Schemas["TrialState"], RefusedQuery>): boolean {
  const isOpen = data === undefined || (data.state === "queued" && data.lastAnswer === null);
  return !isOpen || error !== null || dataUpdateCount >= MAX_POLLS;
}
