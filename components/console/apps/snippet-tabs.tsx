"use client";
// Sample applications for all stacks that fit, with this app's values, to copy and run. Where a stack comes back to an
// address that is not registered, that is said and repaired before anybody runs it.
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ActionButton } from "../action-button";
import { CodeBlock } from "../code-block";
import { UpdateOIDCAppConfig } from "../generated/operations";
import { callbackAddress } from "../playground/flow";
import { Tabs } from "../tabs";
import { type App, appParameters, clientIdOf, hasSecret, settingsToSend } from "./app";
import { environmentFile, noSecretYet } from "./environment";
import { kindOf } from "./kinds";
import { snippetsFor } from "./snippets/all";
import type { Snippet, TokenCheck } from "./snippets/snippet";
import { inOrder, redirectUriFor } from "./stacks";

export interface SnippetTabsProps {
  issuer: string;
  app: App;
  /** The stack it was made for, if that is known. */
  stack: string | undefined;
  mayWrite: boolean;
}

/** In the order they are shown: what is right for every token first. */
const WAYS = ["introspection", "jwt"] as const satisfies readonly TokenCheck[];

export function SnippetTabs(props: SnippetTabsProps) {
  const t = useTranslations();
  if (kindOf(props.app) !== "api") return <Stacks {...props} label={t("apps.snippets")} />;
  return WAYS.map((way) => (
    <section key={way} id={`by-${way}`} aria-labelledby={`by-${way}-title`}>
      <h3 id={`by-${way}-title`}>{t(`apps.by.way.${way}`)}</h3>
      <p>{t(`apps.by.wayHint.${way}`)}</p>
      <Stacks {...props} way={way} label={t(`apps.by.way.${way}`)} />
    </section>
  ));
}

interface StacksProps extends SnippetTabsProps {
  way?: TokenCheck;
  label: string;
}

function Stacks({ way, label, stack, ...props }: StacksProps) {
  const { issuer, app } = props;
  const redirectUris = (app.oidcConfig?.redirectUris ?? []).filter((uri) => uri !== callbackAddress(issuer));
  const tabs = inOrder(snippetsFor(kindOf(app), way), stack, redirectUris).map((snippet) => ({
    value: snippet.id,
    label: <bdi>{snippet.title}</bdi>,
    content: <Code snippet={snippet} redirectUris={redirectUris} {...props} />,
  }));
  return <Tabs label={label} tabs={tabs} />;
}

interface CodeProps extends Omit<SnippetTabsProps, "stack"> {
  snippet: Snippet;
  /** Those of the application itself. */
  redirectUris: readonly string[];
}

function Code({ snippet, redirectUris, issuer, app, mayWrite }: CodeProps) {
  const t = useTranslations();
  const { oidcConfig: oidc } = app;
  const clientId = clientIdOf(app);
  const redirectUri = oidc && redirectUriFor(snippet, { redirectUris });
  const postLogoutRedirectUri = oidc?.postLogoutRedirectUris[0];
  const { install, run, files } = snippet;
  return (
    <>
      {oidc && redirectUri && !redirectUris.includes(redirectUri) && (
        <div className="banner">
          <p>{t("apps.notRegistered")}</p>
          <p>
            <code dir="ltr">{redirectUri}</code>
          </p>
          {mayWrite && (
            <ActionButton
              id={`register-${snippet.id}`}
              operation={UpdateOIDCAppConfig}
              at={appParameters(app)}
              body={{ ...settingsToSend(oidc), redirectUris: [...oidc.redirectUris, redirectUri] }}
              label={t("apps.register")}
              done={t("apps.saved")}
            />
          )}
        </div>
      )}
      {install && <CodeBlock label={t("apps.install")} code={install} />}
      {hasSecret(app) && snippet.way !== "jwt" && <Environment snippet={snippet} issuer={issuer} clientId={clientId} />}
      {files({ issuer, clientId, projectId: app.projectId, redirectUri, postLogoutRedirectUri }).map(
        ({ name, code }) => (
          <CodeBlock key={name} label={name} code={code} />
        ),
      )}
      <CodeBlock label={t("apps.run")} code={run} />
    </>
  );
}

/** The secret was shown once and is missing; the application's own are made in the browser, where nobody else knows them. */
function Environment({ snippet, issuer, clientId }: { snippet: Snippet; issuer: string; clientId: string }) {
  const [code, setCode] = useState(() => environmentFile({ issuer, clientId }, snippet, noSecretYet));
  useEffect(() => setCode(environmentFile({ issuer, clientId }, snippet)), [snippet, issuer, clientId]);
  return <CodeBlock label=".env" code={code} />;
}
