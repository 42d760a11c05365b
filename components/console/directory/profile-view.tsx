// A user's names, email address and phone number, with forms to change them.
import { useTranslations } from "next-intl";
import {
  GetUserByID,
  RemoveHumanPhone,
  ResendHumanEmailVerification,
  ResendHumanPhoneVerification,
  UpdateHumanEmail,
  UpdateHumanPhone,
  UpdateHumanProfile,
  UpdateUserName,
  VerifyHumanEmail,
} from "../../../shared/generated/operations";
import { LoginName, Name } from "../../ui/user-text";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { SwitchField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { CopyValue } from "../parts/copy-value";
import { Facts } from "../parts/facts";
import { LanguageName } from "../parts/known-languages";
import { Moment } from "../parts/moment";
import { ProfileFields } from "./profile-fields";
import type { Human, User } from "./user";

export interface ProfileViewProps {
  user: User;
  human: Human;
  mayWrite: boolean;
}

export function ProfileView({ user, human, mayWrite }: ProfileViewProps) {
  const t = useTranslations();
  const { profile, email, phone } = human;
  const verified = (isVerified: boolean) =>
    isVerified ? (
      <span className="state good">{t("directory.verified")}</span>
    ) : (
      <span className="state">{t("directory.unverified")}</span>
    );
  return (
    <>
      <Facts
        facts={[
          [t("directory.firstName"), <Name key="first">{profile.firstName}</Name>],
          [t("directory.lastName"), <Name key="last">{profile.lastName}</Name>],
          [t("directory.nickName"), profile.nickName && <Name key="nick">{profile.nickName}</Name>],
          [
            t("directory.language"),
            profile.preferredLanguage && <LanguageName key="language" tag={profile.preferredLanguage} />,
          ],
          [t("directory.userName"), <LoginName key="name">{user.userName}</LoginName>],
          [
            t("directory.email"),
            email && (
              <>
                <LoginName>{email.email}</LoginName> {verified(email.isEmailVerified)}
              </>
            ),
          ],
          [
            t("directory.phone"),
            phone && (
              <>
                <bdi>{phone.phone}</bdi> {verified(phone.isPhoneVerified)}
              </>
            ),
          ],
          [t("directory.id"), <CopyValue key="id" value={user.id} label={t("directory.id")} />],
          [t("directory.created"), <Moment key="created" at={Date.parse(user.details.creationDate)} />],
          [t("directory.changed"), <Moment key="changed" at={Date.parse(user.details.changeDate)} />],
        ]}
      />
      {mayWrite && (
        <div className="buttons">
          <ProfileButtons user={user} human={human} />
          <EmailButtons user={user} human={human} />
          <PhoneButtons user={user} human={human} />
        </div>
      )}
    </>
  );
}

type ButtonsProps = Omit<ProfileViewProps, "mayWrite">;

/** The common properties of the forms about a user. */
function useForms({ id }: User) {
  const t = useTranslations();
  const at = { userId: id };
  return {
    at,
    form: { at, submit: t("directory.save"), done: t("directory.saved") },
    back: { read: GetUserByID, at },
  };
}

function ProfileButtons({ user, human: { profile } }: ButtonsProps) {
  const t = useTranslations();
  const { form, back } = useForms(user);
  return (
    <>
      <FormDialog
        {...form}
        id="change-profile"
        label={t("directory.changeProfile")}
        operation={UpdateHumanProfile}
        review={{ wayBack: { ...back, of: "user.human.profile" } }}
      >
        <ProfileFields profile={profile} />
      </FormDialog>
      <FormDialog
        {...form}
        id="change-user-name"
        label={t("directory.changeUserName")}
        operation={UpdateUserName}
        review={{
          wayBack: { ...back, of: "user" },
          effects: { changed: { userName: t("directory.newNameEffect") } },
        }}
      >
        <TextField name="userName" label={t("directory.userName")} value={user.userName} required maxLength={200} />
      </FormDialog>
    </>
  );
}

function EmailButtons({ user, human: { email } }: ButtonsProps) {
  const t = useTranslations();
  const { at, form, back } = useForms(user);
  return (
    <>
      <FormDialog
        {...form}
        id="change-email"
        label={t("directory.changeEmail")}
        description={t("directory.changeEmailHint")}
        operation={UpdateHumanEmail}
        review={{ wayBack: email && { ...back, of: "user.human.email", body: email } }}
      >
        <TextField name="email" label={t("directory.email")} type="email" value={email?.email} required />
        <SwitchField name="isEmailVerified" {...withHint(t, "directory.vouchEmail")} />
      </FormDialog>
      {email && !email.isEmailVerified && (
        <>
          <ActionButton
            id="resend-verification"
            label={t("directory.resendVerification")}
            operation={ResendHumanEmailVerification}
            at={at}
            body={{}}
            done={t("directory.mailQueued")}
          />
          <ConfirmButton
            id="verify-email"
            look="primary"
            triggerLook="plain"
            label={t("directory.vouch")}
            title={t("directory.vouchTitle", { address: email.email })}
            text={<p>{t("directory.vouchEmailHint")}</p>}
            operation={VerifyHumanEmail}
            at={at}
            body={{}}
            done={t("directory.saved")}
          />
        </>
      )}
    </>
  );
}

function PhoneButtons({ user, human: { phone } }: ButtonsProps) {
  const t = useTranslations();
  const { at, form, back } = useForms(user);
  return (
    <>
      <FormDialog
        {...form}
        id="change-phone"
        label={t("directory.changePhone")}
        description={t("directory.changePhoneHint")}
        operation={UpdateHumanPhone}
        review={{
          wayBack: {
            ...back,
            of: "user.human.phone",
            ...(phone ? { body: phone } : { operation: RemoveHumanPhone }),
          },
        }}
      >
        <TextField name="phone" {...withHint(t, "directory.phone")} type="tel" value={phone?.phone} required />
        <SwitchField name="isPhoneVerified" label={t("directory.vouchPhone")} />
      </FormDialog>
      {phone && !phone.isPhoneVerified && (
        <ActionButton
          id="resend-phone"
          label={t("directory.resendPhone")}
          operation={ResendHumanPhoneVerification}
          at={at}
          body={{}}
          done={t("directory.smsQueued")}
        />
      )}
      {phone && (
        <ConfirmButton
          id="remove-phone"
          triggerLook="plain"
          label={t("directory.removePhone")}
          title={t("directory.removeTitle", { name: phone.phone })}
          text={<p>{t("directory.removePhoneText")}</p>}
          operation={RemoveHumanPhone}
          at={at}
          done={t("directory.removed")}
        />
      )}
    </>
  );
}
