"use client";
// Checks an authorization address by the provider's own rules, and offers the repair to visitors who may make it.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import type { AnswerOf } from "../../../shared/declared";
import { CheckAuthorizeUrl, UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import type { Refusal } from "../../../shared/refusal";
import { type App, appParameters, clientIdOf, settingsToSend } from "../apps/app";
import { WrongAddress, type WrongRedirectUri } from "../apps/wrong-address";
import { ActionButton } from "../calls/action-button";
import { callOperation } from "../calls/call";
import { Problems, RefusedForm } from "../calls/problems";
import { withQueries } from "../calls/queries";
import { LongTextInput } from "../forms/inputs";
import { useValidity } from "../forms/validity";
import { Button } from "../parts/button";

type Check = AnswerOf<"CheckAuthorizeUrl">;

export interface AddressCheckProps {
  organizationId: string;
  /** The apps of the organization. */
  apps: readonly App[];
  /** The projects whose apps the visitor may change; undefined for all. */
  writableProjects: readonly string[] | undefined;
}

function CheckForm({ organizationId, apps, writableProjects }: AddressCheckProps) {
  const t = useTranslations();
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState<{ url: string; times: number }>();
  const { data, refetch } = useQuery({
    queryKey: ["authorize address", asked],
    async queryFn() {
      const url = asked?.url ?? "";
      return { url, answer: await callOperation(CheckAuthorizeUrl, { body: { url }, organizationId }) };
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
  });
  const checked = data?.answer.ok ? { url: data.url, check: data.answer.body } : undefined;
  const [wrong, setWrong] = useState<Refusal>();
  const validity = useValidity(() => t("playground.checkAddress"));
  const refusal = wrong ?? (data?.answer.ok === false ? data.answer.refusal : undefined);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const invalid = validity(event.currentTarget);
    setWrong(invalid);
    if (invalid) return;
    setAsked({ url: typed.trim(), times: (asked?.times ?? 0) + 1 });
  };
  // Checks again after a repair.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the apps have changed
  useEffect(() => {
    if (asked) void refetch();
  }, [apps]);
  const app = apps.find((one) => clientIdOf(one) === clientIdIn(checked?.url ?? ""));
  const mayWrite = app !== undefined && (writableProjects?.includes(app.projectId) ?? true);
  return (
    <section className="card" aria-labelledby="check">
      <h2 id="check">{t("playground.check")}</h2>
      <form id="address-check" className="form" noValidate onSubmit={send}>
        <Problems refusal={refusal} />
        <RefusedForm value={refusal}>
          <LongTextInput
            name="url"
            label={t("playground.checkAddress")}
            hint={t("playground.checkHint")}
            value={typed}
            onChange={setTyped}
            required
          />
        </RefusedForm>
        <div className="buttons">
          <Button id="check-address" type="submit" label={t("playground.checkIt")} />
        </div>
      </form>
      <div role="status" id="check-result">
        {checked && <Result check={checked.check} app={mayWrite ? app : undefined} />}
      </div>
    </section>
  );
}

export const AddressCheck = withQueries(CheckForm);

const clientIdIn = (url: string): string | null => new URLSearchParams(url.split("?", 2)[1] ?? "").get("client_id");

/**
 * The result.
 * @property app the app that the address names, if the visitor may change it
 */
function Result({ check, app }: { check: Check; app: App | undefined }) {
  const t = useTranslations();
  if (check.valid) return <p>{t("playground.checkPassed")}</p>;
  const { redirectUri } = check;
  return (
    <>
      <p className="field-problem">
        <code>{check.error}</code> {check.description}
      </p>
      <p>{check.answeredAt === "page" ? t("playground.answeredOnPage") : t("playground.answeredAtApp")}</p>
      {redirectUri && <WrongAddress redirectUri={redirectUri} />}
      {redirectUri && <Repair redirectUri={redirectUri} app={app} />}
    </>
  );
}

/** Offers to register the sent address with the app, or shows the registered one for the sender to use. */
function Repair({ redirectUri: { sent, notRegistrable }, app }: { redirectUri: WrongRedirectUri; app?: App }) {
  const t = useTranslations();
  const oidc = app?.oidcConfig;
  if (!app || !oidc || notRegistrable !== undefined || oidc.redirectUris.includes(sent)) return null;
  return (
    <ActionButton
      id="register-address"
      operation={UpdateOIDCAppConfig}
      at={appParameters(app)}
      body={{ ...settingsToSend(oidc), redirectUris: [...oidc.redirectUris, sent] }}
      label={t("apps.register")}
      done={t("apps.saved")}
    />
  );
}
