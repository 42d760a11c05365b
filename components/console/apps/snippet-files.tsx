"use client";
// The files of a snippet with its install and run commands, and all snippets of a machine, which has no app settings.
import { useTranslations } from "next-intl";
import { CodeBlock } from "../parts/code-block";
import { Tabs } from "../parts/tabs";
import { environmentFile, noSecretYet } from "./environment";
import { inOrder } from "./frameworks";
import { SecretKeeper, useKeptSecrets } from "./kept-secret";
import { filesWith, type Snippet, type SnippetValues, snippetsFor } from "./snippet";

interface FilesProps {
  snippet: Snippet;
  values: SnippetValues;
  /** Whether the code reads a secret. */
  hasSecret: boolean;
}

/** The install command, the content of `.env`, the files, and the run command. */
export function SnippetFiles({ snippet, values, hasSecret: readsSecret }: FilesProps) {
  const t = useTranslations();
  const { install, run } = snippet;
  return (
    <>
      {install && <CodeBlock label={t("apps.install")} code={install} />}
      {readsSecret && <Environment snippet={snippet} issuer={values.issuer} clientId={values.clientId} />}
      {filesWith(snippet, values).map(({ name, code }) => (
        <CodeBlock key={name} label={name} code={code} />
      ))}
      <CodeBlock label={t("apps.run")} code={run} />
    </>
  );
}

/**
 * The `.env` file. It has the client secret only if that was created on the way to this page. The application's own
 * secrets are generated in the browser, so that no one else knows them.
 */
function Environment({ snippet, issuer, clientId }: { snippet: Snippet; issuer: string; clientId: string }) {
  const { clientSecret, secretFor = noSecretYet } = useKeptSecrets();
  const code = environmentFile({ issuer, clientId, clientSecret }, snippet, secretFor);
  return <CodeBlock label=".env" code={code} download="app.env" />;
}

/** The code of a machine, which authenticates with a secret or a key. */
export function MachineSnippets({ issuer, clientId, stack }: { issuer: string; clientId: string; stack?: string }) {
  const t = useTranslations();
  const values = { issuer, clientId, projectId: "", redirectUri: undefined, postLogoutRedirectUri: undefined };
  const tabs = inOrder(snippetsFor("machine"), stack, []).map((snippet) => ({
    value: snippet.id,
    label: <bdi>{snippet.title}</bdi>,
    content: <SnippetFiles snippet={snippet} values={values} hasSecret={!snippet.readsKey} />,
  }));
  return (
    <SecretKeeper>
      <section className="snippets" aria-labelledby="code">
        <h2 id="code">{t("apps.quickstart")}</h2>
        <p>{t("apps.snippetsSecretHint")}</p>
        <Tabs label={t("apps.quickstart")} tabs={tabs} />
      </section>
    </SecretKeeper>
  );
}
