"use client";
// Sample applications for all stacks that fit, with this app's values, to copy and run.
import { useTranslations } from "next-intl";
import { CodeBlock } from "../code-block";
import { Tabs } from "../tabs";
import { snippetsFor } from "./snippets/all";
import type { AppKind, SnippetValues, TokenCheck } from "./snippets/snippet";

/** In the order they are shown: what is right for every token first. */
const WAYS = ["introspection", "jwt"] as const satisfies readonly TokenCheck[];

export function SnippetTabs({ kind, ...values }: SnippetValues & { kind: AppKind }) {
  const t = useTranslations();
  if (kind !== "api") return <Stacks kind={kind} values={values} label={t("apps.snippets")} />;
  return WAYS.map((way) => (
    <section key={way} id={`by-${way}`} aria-labelledby={`by-${way}-title`}>
      <h3 id={`by-${way}-title`}>{t(`apps.by.way.${way}`)}</h3>
      <p>{t(`apps.by.wayHint.${way}`)}</p>
      <Stacks kind={kind} way={way} values={values} label={t(`apps.by.way.${way}`)} />
    </section>
  ));
}

interface StacksProps {
  kind: AppKind;
  way?: TokenCheck;
  values: SnippetValues;
  label: string;
}

function Stacks({ kind, way, values, label }: StacksProps) {
  const t = useTranslations();
  const tabs = snippetsFor(kind, way).map(({ id, title, install, run, files }) => ({
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
  return <Tabs label={label} tabs={tabs} />;
}
