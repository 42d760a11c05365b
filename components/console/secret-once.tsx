"use client";
// Shows a secret, which is never shown again: it can be copied and downloaded, and the dialog only closes when people
// confirm that they have saved it.
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { CodeBlock } from "./code-block";
import { Dialog } from "./dialog";
import { downloadText } from "./download";

export interface RevealedValue<Name extends string = string> {
  /** Its name in the answer. */
  name: Name;
  label: string;
  /** Its name in a `.env` file. */
  variable?: string;
  /** Whether the answer contains it as base64 (RFC 4648 §4). */
  isBase64?: boolean;
}

/** @typeParam Answer of the operation */
export interface Revealed<Answer = Record<string, unknown>> {
  title: string;
  /** Explains what it is for, and that it is not shown again. */
  text: string;
  values: readonly RevealedValue<keyof Answer & string>[];
  /**
   * The name of the download. A `.json` file contains the first value alone, others a line `VARIABLE=value` for each.
   */
  fileName: string;
}

export interface Secret extends RevealedValue {
  text: string;
}

export function secretsIn(answer: Record<string, unknown>, values: readonly RevealedValue[]): Secret[] {
  return values.flatMap((value) => {
    const found = answer[value.name];
    return typeof found === "string" ? [{ ...value, text: value.isBase64 ? fromBase64(found) : found }] : [];
  });
}

function fromBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

export interface SecretOnceProps extends Omit<Revealed, "values"> {
  secrets: readonly Secret[];
  /** The whole `.env` of an application; then it can be copied in one step with going on. */
  environment?: string;
  onStored(): void;
}

export function SecretOnce({ title, text, secrets, fileName, environment, onStored }: SecretOnceProps) {
  const t = useTranslations();
  const id = useId();
  const [isStored, setStored] = useState(false);
  const [isNotCopied, setNotCopied] = useState(false);
  const copyAndGo = async (file: string) => {
    // Without permission, or without https, the browser copies nothing; then nothing is gone on with either.
    const copied = await navigator.clipboard?.writeText(file).then(
      () => true,
      () => false,
    );
    if (copied) onStored();
    else setNotCopied(true);
  };
  const content = fileName.endsWith(".json")
    ? (secrets[0]?.text ?? "")
    : secrets.map(({ variable, name, text: value }) => `${variable ?? name}=${value}\n`).join("");
  return (
    <Dialog title={title} description={text} open isBinding>
      {secrets.map(({ name, label, text: value }) => (
        <CodeBlock key={name} label={label} code={value} />
      ))}
      {environment !== undefined && <CodeBlock label=".env" code={environment} />}
      <div className="buttons">
        {environment !== undefined && (
          <button type="button" id="copy-and-go" className="primary" onClick={() => copyAndGo(environment)}>
            {t("apps.copyAndGo")}
          </button>
        )}
        <button type="button" id="download-secret" onClick={() => downloadText(fileName, environment ?? content)}>
          {t("frame.downloadAs", { file: fileName })}
        </button>
      </div>
      <div role="status">{isNotCopied && <p className="field-problem">{t("apps.notCopied")}</p>}</div>
      <div className="check">
        <input type="checkbox" id={id} checked={isStored} onChange={(event) => setStored(event.target.checked)} />
        <label htmlFor={id}>{t("frame.stored")}</label>
      </div>
      <div className="buttons">
        <button
          type="button"
          id="secret-stored"
          className={environment === undefined ? "primary" : undefined}
          disabled={!isStored}
          onClick={onStored}
        >
          {t("frame.goOn")}
        </button>
      </div>
    </Dialog>
  );
}
