"use client";
// Sample applications for all stacks that fit, with this app's values, to copy and run.
import { useTranslations } from "next-intl";
import { CodeBlock } from "../code-block";
import { Tabs } from "../tabs";
import { snippetsFor } from "./snippets/all";
import type { AppKind, SnippetValues } from "./snippets/snippet";

export function SnippetTabs({ kind, ...values }: SnippetValues & { kind: AppKind }) {
  const t = useTranslations();
  const tabs = snippetsFor(kind).map(({ id, title, install, run, files }) => ({
    value: id,
    label: <bdi>{title}</bdi>,
    content: (
      <>
        {install && <CodeBlock label={t("apps.install")} code={install} />}
        {files(values).map(({ name, code }) => (
          <CodeBlock key={name} label={name} code={code} />
        ))}
        <CodeBlock label={t("apps.run")} code={run} />
      </>
    ),
  }));
  return <Tabs label={t("apps.snippets")} tabs={tabs} />;
}
