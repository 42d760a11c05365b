// Sample applications for all stacks that fit, with this app's values, to copy and run. If a stack returns to an
// address that is not registered, the page says so and offers to register it. The page comes with the code of the first
// stack; browsers load that of the others when they show one of them.
import { useTranslations } from "next-intl";
import { UpdateAPIAppConfig, UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionButton } from "../calls/action-button";
import { Tabs } from "../parts/tabs";
import { type App, appParameters, clientIdOf, hasSecret, settingsToSend } from "./app";
import { inOrder, missingSettings, redirectUriFor, snippetsFor } from "./frameworks";
import { SecretKeeper } from "./kept-secret";
import { kindOf } from "./kinds";
import { NeededSettingsList } from "./needed-settings";
import { callbackAddress } from "./sign-in-flow";
import type { Snippet, TokenCheck } from "./snippet";
import { filesWith } from "./snippet-code";
import { SnippetFiles } from "./snippet-files";

export interface SnippetTabsProps {
  issuer: string;
  app: App;
  /** The stack that the app was created for, if it is known. */
  stack: string | undefined;
  mayWrite: boolean;
}

/** The order of display: introspection first because it works with every token. */
const WAYS = ["introspection", "jwt"] as const satisfies readonly TokenCheck[];

export function SnippetTabs(props: SnippetTabsProps) {
  const t = useTranslations();
  if (kindOf(props.app) !== "api") return <Stacks {...props} label={t("apps.quickstart")} />;
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
  const tabs = inOrder(snippetsFor(kindOf(app), way), stack, redirectUris).map((snippet, index) => ({
    value: snippet.id,
    label: <bdi>{snippet.title}</bdi>,
    content: <Code snippet={snippet} isFirst={index === 0} redirectUris={redirectUris} {...props} />,
  }));
  return <Tabs label={label} tabs={tabs} />;
}

interface CodeProps extends Omit<SnippetTabsProps, "stack"> {
  snippet: Snippet;
  isFirst: boolean;
  /** The redirect URIs of the application itself. */
  redirectUris: readonly string[];
}

function Code({ snippet, isFirst, redirectUris, issuer, app, mayWrite }: CodeProps) {
  const t = useTranslations();
  const { oidcConfig: oidc } = app;
  const clientId = clientIdOf(app);
  const redirectUri = oidc && redirectUriFor(snippet, { redirectUris });
  const postLogoutRedirectUri = oidc?.postLogoutRedirectUris[0];
  const missing = missingSettings(snippet.id, app);
  const settings = oidc ?? app.apiConfig;
  const values = { issuer, clientId, projectId: app.projectId, redirectUri, postLogoutRedirectUri };
  return (
    <>
      {settings && missing.reasons.length > 0 && (
        <div className="banner">
          <p>{t("apps.settingsMissing")}</p>
          <NeededSettingsList reasons={missing.reasons} />
          {mayWrite && (
            <ActionButton
              id={`set-for-${snippet.id}`}
              operation={oidc ? UpdateOIDCAppConfig : UpdateAPIAppConfig}
              at={appParameters(app)}
              body={{ ...settingsToSend(settings), ...missing.settings }}
              label={t("apps.setThese")}
              done={t("apps.saved")}
            />
          )}
        </div>
      )}
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
      <SnippetFiles
        snippet={snippet}
        values={values}
        files={isFirst ? filesWith(snippet, values) : undefined}
        hasSecret={hasSecret(app) && snippet.way !== "jwt" && !snippet.readsKey}
      />
    </>
  );
}

/** The code of a machine, which authenticates with a secret or a key, and has no settings of an app. */
export function MachineSnippets({ issuer, clientId, stack }: { issuer: string; clientId: string; stack?: string }) {
  const t = useTranslations();
  const values = { issuer, clientId, projectId: "", redirectUri: undefined, postLogoutRedirectUri: undefined };
  const tabs = inOrder(snippetsFor("machine"), stack, []).map((snippet, index) => ({
    value: snippet.id,
    label: <bdi>{snippet.title}</bdi>,
    content: (
      <SnippetFiles
        snippet={snippet}
        values={values}
        files={index === 0 ? filesWith(snippet, values) : undefined}
        hasSecret={!snippet.readsKey}
      />
    ),
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
