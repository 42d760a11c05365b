// The keys of a machine (RFC 7523) and its personal access tokens.

import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import {
  AddMachineKey,
  AddPersonalAccessToken,
  RemoveMachineKey,
  RemovePersonalAccessToken,
} from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { LongTextField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { CredentialTable } from "../lists/credential-table";
import type { User } from "./user";

export type MachineKey = Schemas["MachineKey"];
export type PersonalAccessToken = Schemas["PersonalAccessToken"];

interface Props {
  user: User;
  mayWrite: boolean;
}

function useLabels() {
  const t = useTranslations();
  return {
    created: t("directory.created"),
    expires: t("directory.expires"),
    never: t("directory.never"),
  };
}

export function MachineKeys({ user, keys, mayWrite }: Props & { keys: readonly MachineKey[] }) {
  const t = useTranslations();
  const labels = useLabels();
  const at = { userId: user.id };
  const file = {
    title: t("directory.keyTitle"),
    text: t("directory.keyText"),
    fileName: `${user.userName}-key.json`,
    values: [{ name: "keyDetails", label: t("directory.keyFile"), isBase64: true }],
  } as const;
  return (
    <section aria-labelledby="keys" className="section">
      <div className="head">
        <h2 id="keys">{t("directory.keys")}</h2>
        {mayWrite && (
          <div className="buttons">
            <FormDialog
              id="upload-key"
              label={t("directory.uploadKey")}
              operation={AddMachineKey}
              at={at}
              body={{ type: "KEY_TYPE_JSON" }}
              submit={t("directory.add")}
              done={t("directory.saved")}
            >
              <LongTextField name="publicKey" {...withHint(t, "directory.publicKey")} required rows={6} />
              <TextField name="expirationDate" label={t("directory.expiresOptional")} type="date" />
            </FormDialog>
            <FormDialog
              id="make-key"
              label={t("directory.makeKey")}
              description={t("directory.makeKeyText")}
              operation={AddMachineKey}
              at={at}
              body={{ type: "KEY_TYPE_JSON" }}
              reveal={file}
            >
              <TextField name="expirationDate" label={t("directory.expiresOptional")} type="date" />
            </FormDialog>
          </div>
        )}
      </div>
      <CredentialTable
        caption={t("directory.keys")}
        rows={keys}
        empty={t("directory.noKeys")}
        labels={{ ...labels, id: t("directory.keyId"), algorithm: t("directory.algorithm") }}
        removal={(id) =>
          mayWrite && (
            <ConfirmButton
              id={`remove-${id}`}
              label={t("directory.remove")}
              title={t("directory.removeTitle", { name: id })}
              text={<p>{t("directory.removeKeyText")}</p>}
              operation={RemoveMachineKey}
              at={{ ...at, keyId: id }}
              done={t("directory.removed")}
            />
          )
        }
      />
    </section>
  );
}

export function AccessTokens({ user, tokens, mayWrite }: Props & { tokens: readonly PersonalAccessToken[] }) {
  const t = useTranslations();
  const labels = useLabels();
  const at = { userId: user.id };
  const once = {
    title: t("directory.patTitle"),
    text: t("directory.patText"),
    fileName: `${user.userName}-token.env`,
    values: [{ name: "token", label: t("directory.pat"), variable: "TOKEN" }],
  } as const;
  return (
    <section aria-labelledby="pats" className="section">
      <div className="head">
        <h2 id="pats">{t("directory.pats")}</h2>
        {mayWrite && (
          <FormDialog
            id="make-pat"
            label={t("directory.makePat")}
            description={t("directory.makePatText")}
            operation={AddPersonalAccessToken}
            at={at}
            reveal={once}
          >
            <TextField
              name="expirationDate"
              label={t("directory.expires")}
              hint={t("directory.patExpiresHint")}
              type="date"
            />
          </FormDialog>
        )}
      </div>
      <CredentialTable
        caption={t("directory.pats")}
        rows={tokens}
        empty={t("directory.noPats")}
        labels={{ ...labels, id: t("directory.id") }}
        removal={(id) =>
          mayWrite && (
            <ConfirmButton
              id={`revoke-${id}`}
              label={t("directory.revoke")}
              title={t("directory.revokeTitle", { name: id })}
              text={<p>{t("directory.revokePatText")}</p>}
              operation={RemovePersonalAccessToken}
              at={{ ...at, tokenId: id }}
              done={t("directory.revoked")}
            />
          )
        }
      />
    </section>
  );
}
