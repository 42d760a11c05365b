// Credentials of a mail server in addition to its address: access tokens instead of a password, and the key that signs
// mails. Collapsed, because most servers need neither. Secrets are never shown again.
import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import { LongTextField, TextField } from "../forms/fields";
import { CopyValue } from "../parts/copy-value";

type Server = NonNullable<Schemas["EmailProvider"]["smtp"]>;

export function ServerKeyFields({ xoauth2, dkim }: Pick<Server, "xoauth2" | "dkim">) {
  const t = useTranslations();
  return (
    <>
      <details open={xoauth2 !== undefined}>
        <summary>{t("settings.mailOAuth")}</summary>
        <p className="hint">{t("settings.mailOAuthHint")}</p>
        <TextField
          name="xoauth2.tokenEndpoint"
          label={t("settings.mailTokenEndpoint")}
          type="url"
          value={xoauth2?.tokenEndpoint}
          maxLength={2000}
        />
        <TextField
          name="xoauth2.clientCredentials.clientId"
          label={t("directory.clientId")}
          value={xoauth2?.clientCredentials.clientId}
          maxLength={500}
        />
        <TextField
          name="xoauth2.clientCredentials.clientSecret"
          label={t("directory.clientSecret")}
          hint={xoauth2 && t("settings.mailSecretKept")}
          type="password"
          autoComplete="new-password"
          maxLength={2000}
        />
        <TextField
          name="xoauth2.scopes"
          label={t("directory.scopes")}
          value={xoauth2?.scopes.join(" ")}
          as="words"
          maxLength={2000}
        />
      </details>
      <details open={dkim !== undefined}>
        <summary>{t("settings.mailDkim")}</summary>
        <p className="hint">{t("settings.mailDkimHint")}</p>
        <TextField name="dkim.domain" label={t("directory.domain")} value={dkim?.domain} maxLength={253} />
        <TextField name="dkim.selector" label={t("settings.mailDkimSelector")} value={dkim?.selector} maxLength={63} />
        <LongTextField
          name="dkim.privateKey"
          label={t("settings.mailDkimKey")}
          hint={dkim && t("settings.mailSecretKept")}
          maxLength={10_000}
          isSecret
        />
      </details>
    </>
  );
}

/** The DNS record that the sender's domain needs. */
export function DkimRecord({ recordName, recordValue }: NonNullable<Server["dkim"]>) {
  const t = useTranslations();
  return (
    <>
      <CopyValue value={recordName} label={t("settings.mailDkimRecord")} />
      <CopyValue value={recordValue} label={recordName} />
    </>
  );
}
