"use client";
// Asks for the secret of an app that the visitor may not change, to exchange the code.
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { Refusal } from "../../../shared/refusal";
import { Problems, RefusedForm } from "../calls/problems";
import { TextInput } from "../forms/inputs";
import { useValidity } from "../forms/validity";
import { Button } from "../parts/button";

export interface RedeemFormProps {
  isBusy: boolean;
  onRedeem(secret: string): Promise<void>;
}

export function RedeemForm({ isBusy, onRedeem }: RedeemFormProps) {
  const t = useTranslations();
  const [secret, setSecret] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const validity = useValidity(() => t("apps.clientSecret"));
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = validity(event.currentTarget);
    setRefusal(wrong);
    if (!wrong) await onRedeem(secret);
  };
  return (
    <form id="redeem" className="form card" noValidate onSubmit={send}>
      <h2>{t("playground.redeem")}</h2>
      <Problems refusal={refusal} />
      <RefusedForm value={refusal}>
        <TextInput
          name="secret"
          type="password"
          label={t("apps.clientSecret")}
          hint={t("playground.secretHint")}
          value={secret}
          onChange={setSecret}
          required
        />
      </RefusedForm>
      <div className="buttons">
        <Button id="redeem-code" type="submit" look="primary" label={t("playground.redeem")} isDisabled={isBusy} />
      </div>
    </form>
  );
}
