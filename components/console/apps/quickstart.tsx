// What an app's developer needs: the first sign-in, the values to connect with, and an application to copy.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type App, audienceScopeOf, clientIdOf, hasSecret } from "./app";
import { ConnectionTable } from "./connection-table";
import { EXAMPLES } from "./generated/examples";
import { kindOf } from "./kinds";
import { SnippetTabs } from "./snippet-tabs";

export interface QuickstartProps {
  issuer: string;
  /** Address of the organization's pages. */
  base: string;
  /** Address of the app's page. */
  address: string;
  app: App;
  stack: string | undefined;
  mayWrite: boolean;
  /** The element that waits for the first sign-in; shown until there is one. */
  first: ReactNode;
}

export function Quickstart({ issuer, base, address, app, stack, mayWrite, first }: QuickstartProps) {
  const t = useTranslations();
  const { oidcConfig: oidc } = app;
  return (
    <>
      {first}
      <section className="card" aria-labelledby="connect">
        <h2 id="connect">{t("apps.connect")}</h2>
        <ConnectionTable
          issuer={issuer}
          clientId={clientIdOf(app)}
          kind={kindOf(app)}
          hasSecret={hasSecret(app)}
          callerScope={oidc ? undefined : audienceScopeOf(app)}
          code={EXAMPLES.find(({ id }) => id === stack)}
          credentials={`${address}?view=credentials`}
        />
        {!oidc && <p>{t("apps.callerScopeHint")}</p>}
        {oidc && (
          <p>
            <a id="open-playground" href={`${base}/playground?project=${app.projectId}&app=${app.id}`}>
              {t("apps.openPlayground")}
            </a>
          </p>
        )}
      </section>
      <section className="card snippets" aria-labelledby="code">
        <h2 id="code">{t("apps.quickstart")}</h2>
        <p>{hasSecret(app) ? t("apps.snippetsSecretHint") : t("apps.snippetsHint")}</p>
        <SnippetTabs issuer={issuer} app={app} stack={stack} mayWrite={mayWrite} />
      </section>
    </>
  );
}
