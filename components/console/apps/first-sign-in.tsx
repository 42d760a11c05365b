"use client";
// Waits for the first sign-in to an app and shows at once whether it worked, or why not. It polls every few seconds at
// growing intervals, pauses while the page is hidden, and stops after a successful sign-in or when the user leaves the
// page.
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { AnswerOf } from "../../../shared/declared";
import { GetLatestAppSignIn, UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { noAnswer } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { useOperation } from "../calls/operation";
import { Problems } from "../calls/problems";
import { Button } from "../parts/button";
import { CodeBlock } from "../parts/code-block";
import { Moment } from "../parts/moment";
import { useReaderTimeZone } from "../parts/time-zone";
import { type App, appParameters, type OidcConfig, settingsToSend } from "./app";
import { useKeptSecrets } from "./kept-secret";
import { callbackAddress, playgroundApp, responseTypesOf } from "./sign-in-flow";
import { beginTrial } from "./sign-in-request";
import { useCanRun } from "./use-can-run";

export interface FirstSignInProps {
  issuer: string;
  organizationId: string;
  app: App;
  oidc: OidcConfig;
  mayWrite: boolean;
  /** The state when the page was rendered. */
  latest: Latest;
}

type Latest = AnswerOf<"GetLatestAppSignIn">;

/** The first polling interval in milliseconds; each interval is a tenth longer than the one before. */
const INTERVAL = 2_000;
const MAX_INTERVAL = 15_000;

export function FirstSignIn({ organizationId, ...props }: FirstSignInProps) {
  const t = useTranslations();
  const { app } = props;
  const { signIn, trial, refused } = useLatest(props.latest, app, organizationId);
  return (
    <section className="card first" aria-labelledby="first">
      <h2 id="first">{t("apps.first")}</h2>
      <div role="status" id="first-sign-in">
        {signIn ? (
          <p className="state good">
            {signIn.displayName === undefined
              ? t("apps.firstOther")
              : t("apps.firstDone", { name: signIn.displayName })}{" "}
            <Moment at={Date.parse(signIn.date)} />
          </p>
        ) : (
          <>
            {trial && <Tried at={Date.parse(trial.date)} />}
            <p className="waiting">{t(trial ? "apps.firstOwnWaiting" : "apps.firstWaiting")}</p>
          </>
        )}
        {!signIn && refused && (
          <p className="field-problem">
            <a href="?view=sign-ins">{t("apps.firstRefused")}</a>
          </p>
        )}
      </div>
      {signIn?.idToken && (
        <CodeBlock label={t("playground.idToken")} code={JSON.stringify(signIn.idToken.payload, null, 2)} />
      )}
      {!signIn && (
        <>
          <p>{t(trial ? "apps.firstOwnHint" : "apps.firstHint")}</p>
          <TryIt isTried={trial !== undefined} organizationId={organizationId} {...props} />
        </>
      )}
    </section>
  );
}

/** The time of the trial in the playground; with the day, if it is not today. */
function Tried({ at }: { at: number }) {
  const t = useTranslations();
  const format = useFormatter();
  const timeZone = useReaderTimeZone();
  const day = (time: number) => format.dateTime(time, { dateStyle: "short", timeZone });
  const isToday = day(at) === day(Date.now());
  const date = isToday ? {} : ({ year: "numeric", month: "short", day: "numeric" } as const);
  const time = format.dateTime(at, { ...date, hour: "numeric", minute: "2-digit", timeZone });
  return (
    <p className="state good" suppressHydrationWarning>
      {t("apps.firstTried", { time })}
    </p>
  );
}

/** Starts a sign-in with one click; the playground's address is registered first if necessary. */
function TryIt(props: Omit<FirstSignInProps, "latest"> & { isTried: boolean }) {
  const { issuer, organizationId, app, oidc, mayWrite, isTried } = props;
  const t = useTranslations();
  const { handOver } = useKeptSecrets();
  const locale = useLocale();
  const mayRun = useCanRun(issuer);
  const callback = callbackAddress(issuer);
  const isLetIn = oidc.redirectUris.includes(callback);
  const [responseType] = responseTypesOf(app);
  const letIn = useOperation<"UpdateOIDCAppConfig">({
    operation: UpdateOIDCAppConfig,
    at: appParameters(app),
    body: { ...settingsToSend(oidc), redirectUris: [...oidc.redirectUris, callback] },
    organizationId,
  });
  const tryIt = async () => {
    if (responseType === undefined || (!isLetIn && !(await letIn.start()))) return;
    handOver(); // the browser comes back from the playground
    await beginTrial(issuer, playgroundApp(app, { organizationId, mayWrite }), responseType, locale);
  };
  if (!mayRun || responseType === undefined || !(isLetIn || mayWrite)) return null;
  return (
    <>
      <div className="buttons">
        <Button
          id="try-it"
          look={isTried ? undefined : "primary"}
          label={t(isTried ? "apps.tryAgain" : "apps.tryIt")}
          isDisabled={letIn.isBusy}
          onClick={tryIt}
        />
      </div>
      {!isLetIn && <p className="hint">{t("apps.tryHint")}</p>}
      <Problems refusal={letIn.refusal} />
    </>
  );
}

/** @param first the state when the page was rendered */
function useLatest(first: Latest, { projectId, id: appId }: App, organizationId: string): Latest {
  const [latest, setLatest] = useState(first);
  const isOver = latest.signIn !== undefined;
  useEffect(() => {
    if (isOver) return;
    let interval = INTERVAL;
    let timer: ReturnType<typeof setTimeout>;
    let running = new AbortController();
    // Also when the page is shown again: a user who returns from their application expects the current state.
    const read = async () => {
      running.abort();
      clearTimeout(timer);
      if (document.hidden) return;
      running = new AbortController();
      const { signal } = running;
      const request = { at: { projectId, appId }, organizationId, signal };
      const answer = await callOperation(GetLatestAppSignIn, request).catch(noAnswer);
      if (signal.aborted) return;
      if (answer.ok) setLatest(answer.body);
      // After each response, so that a slow server does not get overlapping requests.
      timer = setTimeout(read, interval);
      interval = Math.min(interval * 1.1, MAX_INTERVAL);
    };
    void read();
    document.addEventListener("visibilitychange", read);
    return () => {
      running.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, [isOver, projectId, appId, organizationId]);
  return latest;
}
