// The credentials of a machine: a secret, keys, personal access tokens. Each is shown once, when it is created.
import { useTranslations } from "next-intl";
import {
  GenerateMachineSecret,
  GetUserByID,
  RemoveMachineSecret,
  UpdateMachine,
} from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { LongTextField, SwitchField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { CopyValue } from "../parts/copy-value";
import { Facts } from "../parts/facts";
import { Moment } from "../parts/moment";
import { TokenTypeField } from "./machine-list";
import type { Machine, User } from "./user";

export function MachineView({ user, machine, mayWrite }: { user: User; machine: Machine; mayWrite: boolean }) {
  const t = useTranslations();
  const at = { userId: user.id };
  const { name, description, hasSecret, accessTokenType, legacyAssertionAudience, jwksUri } = machine;
  const secret = {
    title: t("directory.secretTitle"),
    text: t("directory.secretText"),
    fileName: `${user.userName}.env`,
    values: [
      { name: "clientId", label: t("directory.clientId"), variable: "CLIENT_ID" },
      { name: "clientSecret", label: t("directory.clientSecret"), variable: "CLIENT_SECRET" },
    ],
  } as const;
  return (
    <>
      <Facts
        facts={[
          [t("directory.clientId"), <CopyValue key="user" value={user.userName} label={t("directory.clientId")} />],
          [t("directory.description"), description],
          [t("directory.tokenType"), t(`directory.by.tokenType.${accessTokenType}`)],
          [t("directory.clientSecret"), t(hasSecret ? "directory.hasSecret" : "directory.hasNoSecret")],
          [t("directory.id"), <CopyValue key="id" value={user.id} label={t("directory.id")} />],
          [t("directory.created"), <Moment key="created" at={Date.parse(user.details.creationDate)} />],
        ]}
      />
      {mayWrite && (
        <div className="buttons">
          <FormDialog
            id="change-machine"
            label={t("directory.change")}
            title={t("directory.changeMachine")}
            operation={UpdateMachine}
            at={at}
            submit={t("directory.save")}
            done={t("directory.saved")}
            review={{
              effects: { changed: { accessTokenType: t("apps.effect.newTokens") } },
              wayBack: { read: GetUserByID, at, of: "user.machine" },
            }}
          >
            <TextField name="name" label={t("directory.name")} value={name} required maxLength={200} />
            <LongTextField
              name="description"
              label={t("directory.description")}
              value={description}
              rows={2}
              maxLength={500}
              keepsEmpty
            />
            <TokenTypeField value={accessTokenType} />
            <SwitchField
              name="legacyAssertionAudience"
              {...withHint(t, "apps.legacyAssertionAudience")}
              isOn={legacyAssertionAudience}
            />
            <TextField name="jwksUri" type="url" as="nullable" label={t("apps.jwksUri")} value={jwksUri} />
          </FormDialog>
          <FormDialog
            id="new-secret"
            label={t(hasSecret ? "directory.replaceSecret" : "directory.makeSecret")}
            description={t(hasSecret ? "directory.replaceSecretText" : "directory.makeSecretText")}
            operation={GenerateMachineSecret}
            at={at}
            body={{}}
            submit={t("directory.makeSecret")}
            reveal={secret}
          />
          {hasSecret && (
            <ConfirmButton
              id="remove-secret"
              triggerLook="plain"
              label={t("directory.removeSecret")}
              title={t("directory.removeSecretTitle", { name })}
              text={<p>{t("directory.removeSecretText")}</p>}
              operation={RemoveMachineSecret}
              at={at}
              done={t("directory.removed")}
            />
          )}
        </div>
      )}
    </>
  );
}
