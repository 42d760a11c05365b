"use client";
// Waits for the first sign-in to an app, so that whoever connects it sees at once that it works, or why not. Asks every few
// seconds, less and less often, not while the page is hidden, and never again once somebody is in or the page is left.
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { callOperation } from "../call";
import { CodeBlock } from "../code-block";
import type { AnswerOf } from "../declared";
import { GetLatestAppSignIn, UpdateOIDCAppConfig } from "../generated/operations";
import { Moment } from "../moment";
import { useOperation } from "../operation";
import { callbackAddress, playgroundApp, responseTypesOf } from "../playground/flow";
import { beginTrial } from "../playground/request";
import { useCanRun } from "../playground/use-can-run";
import { Problems } from "../problems";
import { useRefresh } from "../refresh";
import { type App, appParameters, type OidcConfig, settingsToSend } from "./app";

export interface FirstSignInProps {
  issuer: string;
  organizationId: string;
  app: App;
  oidc: OidcConfig;
  mayWrite: boolean;
  /** When the page was made. */
  latest: Latest;
}

type Latest = AnswerOf<"GetLatestAppSignIn">;

/** Milliseconds; each time a tenth longer. */
const INTERVAL = 2_000;
const MAX_INTERVAL = 15_000;

export function FirstSignIn({ organizationId, ...props }: FirstSignInProps) {
  const t = useTranslations();
  const { app } = props;
  const { signIn, refused } = useLatest(props.latest, app, organizationId);
  const refresh = useRefresh();
  const listed = useRef(refused?.date);
  // The list of attempts says why, with the button that repairs it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one was refused, and then alone
  useEffect(() => {
    if (!refused || refused.date === listed.current) return;
    listed.current = refused.date;
    refresh();
  }, [refused?.date]);
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
          <p className="waiting">{t("apps.firstWaiting")}</p>
        )}
        {!signIn && refused && (
          <p className="field-problem">
            <a href="#attempts">{t("apps.firstRefused")}</a>
          </p>
        )}
      </div>
      {signIn?.idToken && (
        <CodeBlock label={t("playground.idToken")} code={JSON.stringify(signIn.idToken.payload, null, 2)} />
      )}
      {!signIn && (
        <>
          <p>{t("apps.firstHint")}</p>
          <TryIt organizationId={organizationId} {...props} />
        </>
      )}
    </section>
  );
}

/** One click to a sign-in: the playground is let in first, where it is not yet. */
function TryIt({ issuer, organizationId, app, oidc, mayWrite }: Omit<FirstSignInProps, "latest">) {
  const t = useTranslations();
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
    await beginTrial(issuer, playgroundApp(app, { organizationId, mayWrite }), responseType, locale);
  };
  if (!mayRun || responseType === undefined || !(isLetIn || mayWrite)) return null;
  return (
    <>
      <div className="buttons">
        <button type="button" className="primary" id="try-it" aria-disabled={letIn.isBusy} onClick={tryIt}>
          {t("apps.tryIt")}
        </button>
      </div>
      {!isLetIn && <p className="hint">{t("apps.tryHint")}</p>}
      <Problems refusal={letIn.refusal} />
    </>
  );
}

/** @param first what the page was made with */
function useLatest(first: Latest, app: App, organizationId: string): Latest {
  const [latest, setLatest] = useState(first);
  const { projectId, appId } = appParameters(app);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let interval = INTERVAL;
    let isIn = false;
    let looks = 0;
    const look = async () => {
      const own = ++looks;
      clearTimeout(timer);
      const asked = { at: { projectId, appId }, organizationId, signal };
      const answer = document.hidden
        ? undefined
        : await callOperation(GetLatestAppSignIn, asked).catch(() => undefined);
      if (signal.aborted || own !== looks) return; // another one has begun, which goes on
      if (answer?.ok) setLatest(answer.body);
      isIn = answer?.ok === true && answer.body.signIn !== undefined;
      if (isIn) return;
      timer = setTimeout(look, interval); // after the answer, so that a slow service is not asked again meanwhile
      interval = Math.min(interval * 1.1, MAX_INTERVAL);
    };
    // Whoever comes back from their application wants to see it now.
    const comeBack = () => {
      if (document.hidden || isIn) return;
      interval = INTERVAL;
      void look();
    };
    void look();
    document.addEventListener("visibilitychange", comeBack);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", comeBack);
    };
  }, [projectId, appId, organizationId]);
  return latest;
}
