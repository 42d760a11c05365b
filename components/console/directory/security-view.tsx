// How a user signs in: password, second factors, passkeys, recovery codes. Administrators cannot set a password for
// another user here; an email lets the user choose one (ASVS 6.4.6).
import { useTranslations } from "next-intl";
import type { ParametersOf } from "../../../shared/declared";
import {
  RemoveHumanAuthFactor,
  RemoveHumanPasswordless,
  RemoveHumanRecoveryCodes,
  ResendHumanInitialization,
  SendHumanResetPasswordNotification,
  SendPasswordlessRegistration,
} from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Table } from "../lists/table";
import { Facts } from "../parts/facts";
import { Moment } from "../parts/moment";
import { InvitationButtons } from "./invitation-buttons";
import { type AuthFactor, type Human, hasPassword, nameOf, type Passkey, type User, type UserLink } from "./user";
import { UserLinks } from "./user-links";

export interface SecurityViewProps {
  user: User;
  human: Human;
  factors: readonly AuthFactor[];
  passkeys: readonly Passkey[];
  links: readonly UserLink[];
  hasRecoveryCodes: boolean;
  mayWrite: boolean;
}

interface Means {
  id: string;
  name: string;
  kind: string;
  creationDate: string;
  lastUsedDate?: string;
  removal:
    | { operation: typeof RemoveHumanPasswordless; at: ParametersOf<"RemoveHumanPasswordless"> }
    | { operation: typeof RemoveHumanAuthFactor; at: ParametersOf<"RemoveHumanAuthFactor"> };
}

function InvitedFact({
  invitation: { creationDate, expirationDate },
}: {
  invitation: NonNullable<Human["invitation"]>;
}) {
  const t = useTranslations();
  const until = expirationDate === undefined ? 0 : Date.parse(expirationDate);
  return (
    <>
      <Moment at={Date.parse(creationDate)} />
      {" · "}
      {until > Date.now() ? (
        <>
          {t("directory.invitationExpires")} <Moment at={until} />
        </>
      ) : (
        t("directory.invitationExpired")
      )}
    </>
  );
}

export function SecurityView(props: SecurityViewProps) {
  const { user, human, factors, passkeys, links, hasRecoveryCodes, mayWrite } = props;
  const t = useTranslations();
  const at = { userId: user.id };
  const isInitial = !hasPassword(user);
  const means: Means[] = [
    ...passkeys.map((passkey) => ({
      ...passkey,
      kind: t("directory.passkey"),
      removal: { operation: RemoveHumanPasswordless, at: { ...at, passkeyId: passkey.id } },
    })),
    ...factors.map((factor) => ({
      ...factor,
      name: factor.name ?? "",
      kind: t(`directory.by.factor.${factor.type}`),
      removal: { operation: RemoveHumanAuthFactor, at: { ...at, factorId: factor.id } },
    })),
  ];
  return (
    <>
      <Facts
        facts={[
          [
            t("directory.password"),
            human.passwordChanged ? (
              <>
                {t("directory.passwordChanged")} <Moment at={Date.parse(human.passwordChanged)} />
              </>
            ) : (
              t("directory.noPassword")
            ),
          ],
          [t("directory.nextSignIn"), human.passwordChangeRequired && t("directory.mustChange")],
          [
            t("directory.lastSignIn"),
            human.lastSignInDate ? <Moment key="at" at={Date.parse(human.lastSignInDate)} /> : t("directory.never"),
          ],
          [
            t("directory.by.userState.invited"),
            human.invitation && <InvitedFact key="invited" invitation={human.invitation} />,
          ],
        ]}
      />
      {mayWrite && (
        <div className="buttons">
          {isInitial && (
            <InvitationButtons userId={user.id} name={nameOf(user)} isInvited={human.invitation !== undefined} />
          )}
          {isInitial ? (
            <ActionButton
              id="resend-init"
              label={t("directory.resendInit")}
              operation={ResendHumanInitialization}
              at={at}
              body={{}}
              done={t("directory.mailQueued")}
            />
          ) : (
            <ConfirmButton
              id="reset-password"
              look="primary"
              label={t("directory.resetPassword")}
              title={t("directory.resetPasswordTitle", { name: nameOf(user) })}
              text={<p>{t("directory.resetPasswordText")}</p>}
              operation={SendHumanResetPasswordNotification}
              at={at}
              body={{}}
              done={t("directory.mailQueued")}
            />
          )}
          {!isInitial && human.email?.isEmailVerified && (
            <ConfirmButton
              id="send-passkey-link"
              triggerLook="plain"
              label={t("directory.passkeyLink")}
              title={t("directory.passkeyLinkTitle", { name: nameOf(user) })}
              text={<p>{t("directory.passkeyLinkText")}</p>}
              operation={SendPasswordlessRegistration}
              at={at}
              done={t("directory.mailQueued")}
            />
          )}
          {hasRecoveryCodes && (
            <ConfirmButton
              id="remove-recovery-codes"
              triggerLook="plain"
              label={t("directory.removeRecoveryCodes")}
              title={t("directory.removeRecoveryCodesTitle", { name: nameOf(user) })}
              text={<p>{t("directory.removeRecoveryCodesText")}</p>}
              operation={RemoveHumanRecoveryCodes}
              at={at}
              done={t("directory.removed")}
            />
          )}
        </div>
      )}
      <section aria-labelledby="factors" className="section">
        <h2 id="factors">{t("directory.factors")}</h2>
        <Table
          caption={t("directory.factors")}
          rows={means}
          keyOf={({ id }) => id}
          empty={<p>{t("directory.noFactors")}</p>}
          columns={[
            { id: "kind", label: t("directory.kind"), cell: ({ kind }) => kind },
            { id: "name", label: t("directory.name"), cell: ({ name }) => name && <Name>{name}</Name> },
            { id: "created", label: t("directory.created"), moment: ({ creationDate }) => creationDate },
            {
              id: "used",
              label: t("directory.lastUsed"),
              moment: ({ lastUsedDate }) => lastUsedDate,
              cell: () => t("directory.never"),
            },
          ]}
          actions={({ kind, name, removal, id }) =>
            mayWrite && (
              <ConfirmButton
                id={`remove-${id}`}
                label={t("directory.remove")}
                title={t("directory.removeTitle", { name: name || kind })}
                text={<p>{t("directory.removeFactor")}</p>}
                {...removal}
                done={t("directory.removed")}
              />
            )
          }
        />
      </section>
      <UserLinks userId={user.id} links={links} mayWrite={mayWrite} />
    </>
  );
}
