"use client";
// The values that an application needs to connect, one per line, with a copy button at the end of each line. The client
// secret is among them while it is known (kept-secret.tsx).
import { useTranslations } from "next-intl";
import { breakable } from "../parts/breakable";
import { Button } from "../parts/button";
import { CopyTextButton } from "../parts/copy-text";
import { downloadText } from "../parts/download";
import { environmentFile, noSecretYet } from "./environment";
import { useKeptSecrets } from "./kept-secret";
import type { AppKind, Snippet } from "./snippet";

export interface ConnectionTableProps {
  issuer: string;
  clientId: string;
  kind: AppKind;
  hasSecret: boolean;
  /** The scope that machines and apps of other projects need to call an API. */
  callerScope?: string;
  /** The framework that the app was created for, if it is known and has a snippet. */
  code: Pick<Snippet, "ownSecrets"> | undefined;
  /** The address of the view with the app's credentials. */
  credentials: string;
}

export function ConnectionTable(props: ConnectionTableProps) {
  const { issuer, clientId, kind, hasSecret, callerScope, code, credentials } = props;
  const t = useTranslations();
  const { clientSecret, secretFor = noSecretYet } = useKeptSecrets();
  const isApi = kind === "api";
  const lines: (readonly [label: string, value: string | undefined])[] = [
    [t("overview.issuer"), issuer],
    [t("apps.clientId"), clientId],
    [t("apps.callerScope"), callerScope],
    [t("overview.discovery"), `${issuer}/.well-known/openid-configuration`],
    [t("apps.authorizationEndpoint"), isApi ? undefined : `${issuer}/oauth/v2/authorize`],
    [t("apps.deviceEndpoint"), kind === "device" ? `${issuer}/oauth/v2/device_authorization` : undefined],
    [t("apps.tokenEndpoint"), isApi ? undefined : `${issuer}/oauth/v2/token`],
    [t("apps.userinfoEndpoint"), isApi ? undefined : `${issuer}/oidc/v1/userinfo`],
    [t("apps.introspectionEndpoint"), isApi ? `${issuer}/oauth/v2/introspect` : undefined],
    [t("apps.keySet"), `${issuer}/oauth/v2/keys`],
    [t("apps.endSession"), isApi ? undefined : `${issuer}/oidc/v1/end_session`],
  ];
  const [first, second, ...rest] = lines.filter((line): line is [string, string] => line[1] !== undefined);
  const line = (shown: readonly [string, string] | undefined) =>
    shown && <Line key={shown[0]} label={shown[0]} value={shown[1]} />;
  const download = () => downloadText("app.env", environmentFile({ issuer, clientId, clientSecret }, code, secretFor));
  return (
    <>
      <table className="connection">
        <caption className="hidden">{t("apps.connect")}</caption>
        <tbody>
          {line(first)}
          {line(second)}
          {hasSecret && clientSecret !== undefined && <Line label={t("apps.clientSecret")} value={clientSecret} />}
          {hasSecret && clientSecret === undefined && (
            <tr>
              <th scope="row">{t("apps.clientSecret")}</th>
              <td colSpan={2}>
                {t("apps.secretGone")} <a href={credentials}>{t("apps.toCredentials")}</a>
              </td>
            </tr>
          )}
          {rest.map(line)}
        </tbody>
      </table>
      {hasSecret && clientSecret !== undefined && (
        <div className="kept-secret">
          <p>{t("apps.secretStays")}</p>
          <Button id="download-env" label={t("frame.downloadAs", { file: ".env" })} onClick={download} />
        </div>
      )}
    </>
  );
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <code dir="ltr">{breakable(value)}</code>
      </td>
      <td>
        <CopyTextButton text={value} label={label} />
      </td>
    </tr>
  );
}
