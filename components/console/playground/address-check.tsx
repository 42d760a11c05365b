"use client";
// "Why does this address not work?": checks an authorization address by the provider's own rules.
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { callOperation } from "../call";
import type { AnswerOf } from "../declared";
import { LongTextField } from "../fields";
import { CheckAuthorizeUrl } from "../generated/operations";
import { Problems } from "../problems";
import type { Refusal } from "../refusal";

type Check = AnswerOf<"CheckAuthorizeUrl">;

export function AddressCheck({ organizationId }: { organizationId: string }) {
  const t = useTranslations();
  const [check, setCheck] = useState<Check>();
  const [refusal, setRefusal] = useState<Refusal>();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url") ?? "").trim();
    const answer = await callOperation(CheckAuthorizeUrl, { body: { url }, organizationId });
    setCheck(answer.ok ? answer.body : undefined);
    setRefusal(answer.ok ? undefined : answer.refusal);
  };
  return (
    <section className="card" aria-labelledby="check">
      <h2 id="check">{t("playground.check")}</h2>
      <form id="address-check" className="form" onSubmit={send}>
        <Problems refusal={refusal} />
        <LongTextField name="url" label={t("playground.checkAddress")} hint={t("playground.checkHint")} required />
        <div className="buttons">
          <button type="submit" id="check-address">
            {t("playground.checkIt")}
          </button>
        </div>
      </form>
      <div role="status" id="check-result">
        {check && <Result check={check} />}
      </div>
    </section>
  );
}

function Result({ check }: { check: Check }) {
  const t = useTranslations();
  if (check.valid) return <p>{t("playground.checkPassed")}</p>;
  const { redirectUri } = check;
  return (
    <>
      <p className="field-problem">
        <code>{check.error}</code> {check.description}
      </p>
      <p>{check.answeredAt === "page" ? t("playground.answeredOnPage") : t("playground.answeredAtApp")}</p>
      {redirectUri?.difference && (
        <p dir="ltr">
          {redirectUri.difference.map(({ kind, text }, index) => {
            const key = `${index}-${text}`;
            if (kind === "extra") return <ins key={key}>{text}</ins>;
            return kind === "missing" ? <del key={key}>{text}</del> : <span key={key}>{text}</span>;
          })}
        </p>
      )}
      {redirectUri?.notRegistrable && <p>{redirectUri.notRegistrable}</p>}
    </>
  );
}
