"use client";
// The page that a sign-in of the playground returns to: what the app received, which requests it made next, and what
// each answer means.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CodeBlock } from "../code-block";
import { organizationAddress } from "../pages";
import { readJwt } from "./claims";
import { type Attempt, arrivedWith, askWho, type Exchange, recall, redeem, refresh } from "./flow";
import { Parameters } from "./parameters";

interface Arrival {
  attempt: Attempt | undefined;
  parameters: Readonly<Record<string, string>>;
}

const WITH_SECRET = new Set(["OIDC_AUTH_METHOD_TYPE_BASIC", "OIDC_AUTH_METHOD_TYPE_POST"]);

export function PlaygroundResult() {
  const t = useTranslations();
  const [arrival, setArrival] = useState<Arrival>();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const began = useRef(false);
  const told = (exchange: Exchange) => setExchanges((list) => [...list, exchange]);
  const attemptTo = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    setBusy(false);
  };
  useEffect(() => {
    if (began.current) return; // a code works once
    began.current = true;
    const arrived = arrivedWith(new URL(location.href));
    const attempt = recall(arrived.get("state"));
    setArrival({ attempt, parameters: Object.fromEntries(arrived) });
    history.replaceState(null, "", location.pathname);
    if (!attempt || arrived.has("error")) return;
    const token = arrived.get("access_token");
    if (token !== null) void attemptTo(() => askWho(attempt, token, told));
    else if (arrived.has("code") && !WITH_SECRET.has(attempt.app.authMethodType)) {
      void attemptTo(() => redeem(attempt, arrived, "", told));
    }
  });
  if (!arrival) return null;
  const { attempt, parameters } = arrival;
  const needsSecret =
    attempt !== undefined &&
    parameters.code !== undefined &&
    exchanges.length === 0 &&
    WITH_SECRET.has(attempt.app.authMethodType);
  const redeemWith = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const secret = String(new FormData(event.currentTarget).get("secret") ?? "");
    if (attempt) void attemptTo(() => redeem(attempt, new URLSearchParams(parameters), secret, told));
  };
  const back = attempt && `${organizationAddress(attempt.app.organizationId)}/playground?app=${attempt.app.appId}`;
  return (
    <>
      <h1>{t("playground.result")}</h1>
      {back && (
        <p>
          <a id="again" href={back}>
            {t("playground.again")}
          </a>
        </p>
      )}
      {!attempt && <p className="banner">{t("playground.unknownAttempt")}</p>}
      <section className="card" aria-labelledby="came">
        <h2 id="came">{t("playground.cameBack")}</h2>
        <Parameters caption={t("playground.cameBack")} kind="parameter" values={parameters} />
        {parameters.id_token && <Token title={t("playground.idToken")} token={parameters.id_token} />}
        {parameters.access_token && <Token title={t("playground.accessToken")} token={parameters.access_token} />}
      </section>
      {needsSecret && (
        <form id="redeem" className="form card" onSubmit={redeemWith}>
          <h2>{t("playground.redeem")}</h2>
          <div className="field">
            <label htmlFor="secret">{t("apps.clientSecret")}</label>
            <p className="hint" id="secret-hint">
              {t("playground.secretHint")}
            </p>
            <input
              id="secret"
              name="secret"
              type="password"
              autoComplete="off"
              aria-describedby="secret-hint"
              required
            />
          </div>
          <div className="buttons">
            <button type="submit" id="redeem-code" className="primary" aria-disabled={isBusy}>
              {t("playground.redeem")}
            </button>
          </div>
        </form>
      )}
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
        <ExchangeCard key={index} exchange={exchange} />
      ))}
      <div role="status">{problem && <p className="field-problem">{problem}</p>}</div>
      {attempt && <Next attempt={attempt} exchanges={exchanges} onRefresh={attemptTo} told={told} />}
    </>
  );
}

function ExchangeCard({ exchange: { what, method, url, parameters, status, answer } }: { exchange: Exchange }) {
  const t = useTranslations();
  const told = typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : undefined;
  return (
    <section className="card exchange" data-what={what}>
      <h2>{t(`playground.by.exchange.${what}`)}</h2>
      <p>
        <code dir="ltr">{`${method} ${url}`}</code>{" "}
        <span className={status < 400 ? "state good" : "state bad"}>{status}</span>
      </p>
      {Object.keys(parameters).length > 0 && (
        <Parameters caption={t("playground.parameters")} kind="parameter" values={parameters} />
      )}
      {told && what !== "userinfo" && <Parameters caption={t("playground.answer")} kind="parameter" values={told} />}
      {told && what === "userinfo" && <Parameters caption={t("playground.answer")} kind="claim" values={told} />}
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
      <Parameters caption={title} kind="claim" values={jwt.payload} />
      <Parameters caption={t("playground.headerOf", { token: title })} kind="claim" values={jwt.header} />
    </>
  );
}

interface NextProps {
  attempt: Attempt;
  exchanges: readonly Exchange[];
  onRefresh(work: () => Promise<void>): Promise<void>;
  told(exchange: Exchange): void;
}

/** What an app does later: refresh its tokens, and sign out. */
function Next({ attempt, exchanges, onRefresh, told }: NextProps) {
  const t = useTranslations();
  const answers = exchanges.map(({ answer }) => answer as Record<string, unknown>);
  const newest = (name: string) =>
    answers.map((answer) => answer?.[name]).findLast((value): value is string => typeof value === "string");
  const refreshToken = newest("refresh_token");
  const idToken = newest("id_token");
  const isPublic = !WITH_SECRET.has(attempt.app.authMethodType);
  return (
    <div className="buttons">
      {refreshToken && isPublic && (
        <button
          type="button"
          id="refresh-tokens"
          onClick={() => onRefresh(() => refresh(attempt, refreshToken, "", told))}
        >
          {t("playground.refresh")}
        </button>
      )}
      {idToken && (
        <a
          className="button"
          id="end-session"
          href={`${attempt.issuer}/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: idToken })}`}
        >
          {t("playground.signOut")}
        </a>
      )}
    </div>
  );
}
