"use client";
// The page that a sign-in of the playground returns to: the parameters that the app received, its next requests, and
// the meaning of each response.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { organizationAddress } from "../../../shared/pages";
import {
  type AuthorizationAttempt,
  arrivedWith,
  askWho,
  type Exchange,
  exchangeCode,
  needed,
  type PlaygroundApp,
  recall,
} from "../apps/sign-in-flow";
import { CodeBlock } from "../parts/code-block";
import { readJwt } from "./claims";
import { NextSteps } from "./next-steps";
import { ParameterTable } from "./parameter-table";
import { ProfileClaims } from "./profile-claims";
import { RedeemForm } from "./redeem-form";

interface Arrival {
  attempt: AuthorizationAttempt | undefined;
  parameters: Readonly<Record<string, string>>;
}

/**
 * The result page.
 * @property sessionId the session of the console, which an app in this browser shares
 */
export function PlaygroundResult({ sessionId }: { sessionId: string }) {
  const t = useTranslations();
  const [arrival, setArrival] = useState<Arrival>();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const began = useRef(false);
  const isWorking = useRef(false);
  const onExchange = (exchange: Exchange) => setExchanges((list) => [...list, exchange]);
  // One at a time: a code or a refresh token that is used twice is treated as stolen.
  const attemptTo = async (work: () => Promise<void>) => {
    if (isWorking.current) return;
    isWorking.current = true;
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    isWorking.current = false;
    setBusy(false);
  };
  useEffect(() => {
    if (began.current) return; // a code can be used once
    began.current = true;
    const arrived = arrivedWith(new URL(location.href));
    const attempt = recall(arrived.get("state"));
    setArrival({ attempt, parameters: Object.fromEntries(arrived) });
    history.replaceState(null, "", location.pathname);
    if (!attempt || arrived.has("error")) return;
    const token = arrived.get("access_token");
    if (arrived.has("code") && needed(attempt.app) === "nothing") {
      void attemptTo(() => exchangeCode(attempt, arrived, undefined, onExchange));
    } else if (token !== null) void attemptTo(() => askWho(attempt, token, onExchange));
  });
  if (!arrival) return null;
  const { attempt, parameters } = arrival;
  const isWaiting = attempt !== undefined && parameters.code !== undefined && exchanges.length === 0;
  const wanted = isWaiting ? needed(attempt.app) : "nothing";
  const redeemWith = async (secret: string) => {
    if (attempt) await attemptTo(() => exchangeCode(attempt, new URLSearchParams(parameters), secret, onExchange));
  };
  return (
    <>
      <h1>{attempt ? t("playground.resultOf", { app: attempt.app.name }) : t("playground.result")}</h1>
      {attempt && <WaysBack app={attempt.app} />}
      {!attempt && <p className="banner">{t("playground.unknownAttempt")}</p>}
      <ProfileClaims parameters={parameters} exchanges={exchanges} />
      {wanted === "manager" && <p className="banner">{t("playground.needsManager")}</p>}
      <section className="card" aria-labelledby="came">
        <h2 id="came">{t("playground.cameBack")}</h2>
        <ParameterTable caption={t("playground.cameBack")} kind="parameter" values={parameters} isUnderHeading />
        {parameters.id_token && <Token title={t("playground.idToken")} token={parameters.id_token} />}
        {parameters.access_token && <Token title={t("playground.accessToken")} token={parameters.access_token} />}
      </section>
      {wanted === "secret" && <RedeemForm isBusy={isBusy} onRedeem={redeemWith} />}
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
        <ExchangeCard key={index} exchange={exchange} />
      ))}
      <div role="status">{problem && <p className="field-problem">{problem}</p>}</div>
      {attempt && (
        <NextSteps {...{ attempt, parameters, exchanges, sessionId, onExchange, isBusy }} attemptTo={attemptTo} />
      )}
    </>
  );
}

function WaysBack({ app: { organizationId, projectId, appId, name } }: { app: PlaygroundApp }) {
  const t = useTranslations();
  const base = organizationAddress(organizationId);
  return (
    <p className="ways">
      <a id="back-to-app" href={`${base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(appId)}`}>
        {t("playground.backTo", { app: name })}
      </a>
      <a id="again" href={`${base}/playground?app=${encodeURIComponent(appId)}`}>
        {t("playground.again")}
      </a>
    </p>
  );
}

function ExchangeCard({ exchange }: { exchange: Exchange }) {
  const t = useTranslations();
  const { what, method, url, parameters, status, answer, isStoodIn } = exchange;
  const told = typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : undefined;
  return (
    <section className="card exchange" data-what={what}>
      <h2>{t(`playground.by.exchange.${what}`)}</h2>
      <p>
        <code dir="ltr">{`${method} ${url}`}</code>{" "}
        <span className={status < 400 ? "state good" : "state bad"}>{status}</span>
      </p>
      {isStoodIn && <p className="hint">{t("playground.standsIn")}</p>}
      {Object.keys(parameters).length > 0 && (
        <ParameterTable caption={t("playground.parameters")} kind="parameter" values={parameters} />
      )}
      {told && what !== "userinfo" && (
        <ParameterTable caption={t("playground.answer")} kind="parameter" values={told} />
      )}
      {told && what === "userinfo" && <ParameterTable caption={t("playground.answer")} kind="claim" values={told} />}
      {told === undefined && <CodeBlock label={t("playground.answer")} code={String(answer)} />}
      {typeof told?.id_token === "string" && <Token title={t("playground.idToken")} token={told.id_token} />}
      {typeof told?.access_token === "string" && (
        <Token title={t("playground.accessToken")} token={told.access_token} />
      )}
    </section>
  );
}

function Token({ title, token }: { title: string; token: string }) {
  const t = useTranslations();
  const jwt = readJwt(token);
  if (!jwt) return <p>{t("playground.opaqueToken")}</p>;
  return (
    <>
      <ParameterTable caption={title} kind="claim" values={jwt.payload} />
      <ParameterTable caption={t("playground.headerOf", { token: title })} kind="claim" values={jwt.header} />
    </>
  );
}
