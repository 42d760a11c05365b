"use client";
// Sends a marked test mail to the visitor's own address and shows the response of the mail server.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { TestMailSettings } from "../../../shared/generated/operations";
import { useOperation } from "../calls/operation";
import { Problems } from "../calls/problems";
import { Button } from "../parts/button";

export function MailTest() {
  const t = useTranslations();
  const [tested, setTested] = useState<{ recipient: string; answer: string }>();
  const test = useOperation({ operation: TestMailSettings });
  const send = async () => {
    setTested(undefined);
    const answered = await test.start();
    if (answered) setTested(answered);
  };
  return (
    <section className="card" aria-labelledby="test">
      <h2 id="test">{t("settings.tryMail")}</h2>
      <p>{t("settings.tryMailText")}</p>
      <Problems refusal={test.refusal} />
      <p className="buttons">
        <Button id="test-mail" label={t("settings.sendTest")} isDisabled={test.isBusy} onClick={send} />
      </p>
      <div role="status">
        {test.isBusy && <p>{t("settings.sending")}</p>}
        {tested && (
          <p>
            {t("settings.sentTest", { recipient: tested.recipient })} <code>{tested.answer}</code>
          </p>
        )}
      </div>
    </section>
  );
}
