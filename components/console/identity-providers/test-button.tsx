"use client";
// Tests the connection to a provider, and says what each check found and what to do about it.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AnswerOf } from "../../../shared/declared";
import type { Refusal } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { Problems } from "../calls/problems";
import { useToast } from "../calls/toasts";
import { useAlone } from "../calls/use-alone";
import { Dialog } from "../dialogs/dialog";
import {
  IDENTITY_PROVIDER_OPERATIONS,
  type IdentityProviderView,
  type ProviderOwnerLevel,
  settingsOfProvider,
} from "./provider-operations";

type Check = AnswerOf<"TestProvider">["checks"][number];

export interface TestButtonProps {
  level: ProviderOwnerLevel;
  provider: IdentityProviderView;
}

export function TestButton({ level, provider }: TestButtonProps) {
  const { id, name } = provider;
  const hasIssuer = settingsOfProvider(provider).issuer !== undefined;
  const t = useTranslations();
  const say = useToast();
  const { isBusy, alone } = useAlone();
  const [checks, setChecks] = useState<readonly Check[]>();
  const [refusal, setRefusal] = useState<Refusal>();
  const test = () =>
    alone(async () => {
      const answer = await callOperation(IDENTITY_PROVIDER_OPERATIONS[level].test, { at: { id } });
      if (answer.ok) setChecks(answer.body.checks);
      else setRefusal(answer.refusal);
    }).catch(() => say(t("frame.failed")));
  const open = (isOpen: boolean) => {
    setChecks(undefined);
    setRefusal(undefined);
    if (isOpen) void test();
  };
  return (
    <Dialog
      title={t("settings.idpTestOf", { name })}
      trigger={{ id: `test-${id}`, label: t("settings.idpTest") }}
      onOpenChange={open}
    >
      <Problems refusal={refusal} />
      <div role="status">
        {isBusy && <p>{t("settings.idpTesting")}</p>}
        {checks && (
          <ul>
            {checks.map((check) => (
              <li key={check.check}>
                <CheckResult {...check} hasAdvice={check.check !== "discovery" || hasIssuer} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** @param hasAdvice false if the advice is about an issuer that the provider does not have */
function CheckResult({ check, passed, detail, hasAdvice }: Check & { hasAdvice: boolean }) {
  const t = useTranslations();
  const result = passed === undefined ? "unclear" : passed ? "passed" : "failed";
  return (
    <>
      <p>
        <strong>{t(`settings.by.connectionCheck.${check}`)}</strong>{" "}
        <span className={passed ? "state good" : "state"}>{t(`settings.by.connectionResult.${result}`)}</span>
      </p>
      <p className="quiet">
        <bdi>{detail}</bdi>
      </p>
      {passed !== true && hasAdvice && <p>{t(`settings.by.connectionAdvice.${check}`)}</p>}
    </>
  );
}
