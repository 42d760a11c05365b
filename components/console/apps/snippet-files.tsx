"use client";
// The files of a snippet with its install and run commands.
import { useTranslations } from "next-intl";
import { CodeBlock } from "../parts/code-block";
import { onDemand } from "../parts/on-demand";
import { environmentFile, noSecretYet } from "./environment";
import { useKeptSecrets } from "./kept-secret";
import type { Snippet, SnippetFile, SnippetValues } from "./snippet";

interface OwnFilesProps {
  snippet: Snippet;
  values: SnippetValues;
  /** Whether the code reads a secret. */
  hasSecret: boolean;
}

interface FilesProps extends OwnFilesProps {
  /** The files with the values. */
  files: readonly SnippetFile[];
}

const OwnFiles = onDemand(() =>
  import("./snippet-code").then(({ filesWith }) => (props: OwnFilesProps) => (
    <Files {...props} files={filesWith(props.snippet, props.values)} />
  )),
);

/** Without files, they are loaded, and nothing is shown until then. */
export function SnippetFiles({ files, ...props }: OwnFilesProps & Partial<FilesProps>) {
  return files ? <Files {...props} files={files} /> : <OwnFiles.Part {...props} />;
}

/** The install command, the content of `.env`, the files, and the run command. */
function Files({ snippet, values, files, hasSecret: readsSecret }: FilesProps) {
  const t = useTranslations();
  const { install, run } = snippet;
  return (
    <>
      {install && <CodeBlock label={t("apps.install")} code={install} />}
      {readsSecret && <Environment snippet={snippet} issuer={values.issuer} clientId={values.clientId} />}
      {files.map(({ name, code }) => (
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
