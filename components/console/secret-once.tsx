"use client";
// A secret at the only moment it can be seen: to copy, to download, and left only by saying that it is kept.
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { CodeBlock } from "./code-block";
import { Dialog } from "./dialog";
import { downloadText } from "./download";

export interface RevealedValue {
  /** Its name in the answer. */
  name: string;
  label: string;
  /** As what it stands in a `.env` file. */
  variable?: string;
  /** It comes as base64 (RFC 4648 §4) of the text that is meant. */
  isBase64?: boolean;
}

export interface Revealed {
  title: string;
  /** What it is for, and that it is not shown again. */
  text: string;
  values: readonly RevealedValue[];
  /** Of the download; a `.json` file is the first value alone, any other has a line `VARIABLE=value` each. */
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
  onStored(): void;
}

export function SecretOnce({ title, text, secrets, fileName, onStored }: SecretOnceProps) {
  const t = useTranslations();
  const id = useId();
  const [isStored, setStored] = useState(false);
  const content = fileName.endsWith(".json")
    ? (secrets[0]?.text ?? "")
    : secrets.map(({ variable, name, text: value }) => `${variable ?? name}=${value}\n`).join("");
  return (
    <Dialog title={title} description={text} open isBinding>
      {secrets.map(({ name, label, text: value }) => (
        <CodeBlock key={name} label={label} code={value} />
      ))}
      <div className="buttons">
        <button type="button" id="download-secret" onClick={() => downloadText(fileName, content)}>
          {t("frame.downloadAs", { file: fileName })}
        </button>
      </div>
      <div className="check">
        <input type="checkbox" id={id} checked={isStored} onChange={(event) => setStored(event.target.checked)} />
        <label htmlFor={id}>{t("frame.stored")}</label>
      </div>
      <div className="buttons">
        <button type="button" id="secret-stored" className="primary" disabled={!isStored} onClick={onStored}>
          {t("frame.goOn")}
        </button>
      </div>
    </Dialog>
  );
}
