"use client";
// Shows a secret that is never shown again. It can be copied and downloaded, and the dialog closes only when the user
// confirms that it is saved.
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "../parts/button";
import { CodeBlock } from "../parts/code-block";
import { downloadText } from "../parts/download";
import { Dialog } from "./dialog";

export interface RevealedValue<Name extends string = string> {
  /** The name of the value in the response. */
  name: Name;
  label: string;
  /** The name of the value in a `.env` file. */
  variable?: string;
  /** Whether the response contains the value as base64 (RFC 4648 §4). */
  isBase64?: boolean;
}

/**
 * The secrets of a response and their texts.
 * @typeParam Answer the response of the operation
 */
export interface Revealed<Answer = Record<string, unknown>> {
  title: string;
  /** Explains the purpose, and that the value is not shown again. */
  text: string;
  values: readonly RevealedValue<keyof Answer & string>[];
  /**
   * The name of the download. A `.json` file contains only the first value, others a line `VARIABLE=value` for each.
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
  /** The complete `.env` of an application; if present, one button copies it and continues. */
  environment?: string;
  onStored(): void;
}

export function SecretOnce({ title, text, secrets, fileName, environment, onStored }: SecretOnceProps) {
  const t = useTranslations();
  const id = useId();
  const [isStored, setStored] = useState(false);
  const [isNotCopied, setNotCopied] = useState(false);
  const copyAndGo = async (file: string) => {
    // Without permission or https, the browser does not copy; then the dialog does not continue.
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
          <Button id="copy-and-go" look="primary" label={t("apps.copyAndGo")} onClick={() => copyAndGo(environment)} />
        )}
        <Button
          id="download-secret"
          label={t("frame.downloadAs", { file: fileName })}
          onClick={() => downloadText(fileName, environment ?? content)}
        />
      </div>
      <div role="status">{isNotCopied && <p className="field-problem">{t("apps.notCopied")}</p>}</div>
      <div className="check">
        <input type="checkbox" id={id} checked={isStored} onChange={(event) => setStored(event.target.checked)} />
        <label htmlFor={id}>{t("frame.stored")}</label>
      </div>
      <div className="buttons">
        <Button
          id="secret-stored"
          look={environment === undefined ? "primary" : undefined}
          label={t("frame.goOn")}
          disabled={!isStored}
          onClick={onStored}
        />
      </div>
    </Dialog>
  );
}
