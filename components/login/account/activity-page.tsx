// The events of a user's account, newest first, in pages, so that users notice events that they did not cause.
import type { LoginTranslator } from "../../../messages/login";
import type { ActivityKind } from "../../../server/login/account/activity";
import { Name } from "../../ui/user-text";
import { type AccountFields, AccountFrame, accountHref, accountSections } from "../account-frame";
import { deviceText } from "./device-text";
import { moment } from "./times";

const WORDS = {
  created: "account.did.created",
  signedIn: "account.did.signedIn",
  signedOut: "account.did.signedOut",
  passwordChanged: "account.did.passwordChanged",
  passwordResetRequested: "account.did.passwordResetRequested",
  passwordChangeRequired: "account.did.passwordChangeRequired",
  emailRequested: "account.did.emailRequested",
  emailChanged: "account.did.emailChanged",
  emailConfirmed: "account.did.emailConfirmed",
  profileChanged: "account.did.profileChanged",
  secured: "account.did.secured",
  factorAdded: "account.did.factorAdded",
  factorRemoved: "account.did.factorRemoved",
  passkeyAdded: "account.did.passkeyAdded",
  passkeyRenamed: "account.did.passkeyRenamed",
  passkeyRemoved: "account.did.passkeyRemoved",
  codesCreated: "account.did.codesCreated",
  codeUsed: "account.did.codeUsed",
  appConfirmed: "account.did.appConfirmed",
  appDisconnected: "account.did.appDisconnected",
  deactivated: "account.did.deactivated",
  reactivated: "account.did.reactivated",
  locked: "account.did.locked",
  unlocked: "account.did.unlocked",
  loginNameChanged: "account.did.loginNameChanged",
  accountLinked: "account.did.accountLinked",
  accountUnlinked: "account.did.accountUnlinked",
} as const satisfies Record<ActivityKind, string>;
/** All kinds of account events. */
export const activityKinds = Object.keys(WORDS) as ActivityKind[];

export interface AccountActivityProps {
  fields: AccountFields;
  timeZone: string;
  entries: readonly { kind: ActivityKind; at: number; detail?: string; device?: string; bySomebodyElse: boolean }[];
  /** The start of the next page. */
  olderBefore?: number;
  /** Whether this is not the first page. */
  isOlder: boolean;
  organizationName?: string;
}

export function AccountActivityPage({
  t,
  locale,
  ...props
}: AccountActivityProps & { t: LoginTranslator; locale: string }) {
  const { fields, timeZone, entries, olderBefore, isOlder } = props;
  const { path } = accountSections.activity;
  return (
    <AccountFrame t={t} section="activity" fields={fields}>
      <p>{t("account.timesIn", { zone: timeZone })}</p>
      <ul className="entries">
        {entries.map(({ kind, at, detail, device, bySomebodyElse }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
          <li key={index}>
            <p>
              <strong>{t(WORDS[kind])}</strong>
              {detail !== undefined && kind !== "signedIn" && (
                <>
                  {": "}
                  <Name>{detail}</Name>
                </>
              )}
            </p>
            {kind === "signedIn" && (
              <p>
                {device !== undefined && deviceText(t, device)}
                {device !== undefined && detail !== undefined && " · "}
                {detail !== undefined && <bdi>{detail}</bdi>}
              </p>
            )}
            <p>
              <time dateTime={new Date(at).toISOString()}>{moment(locale, timeZone, at)}</time>
            </p>
            {bySomebodyElse && <p>{t("account.bySomebodyElse")}</p>}
          </li>
        ))}
      </ul>
      {olderBefore !== undefined && (
        <a className="secondary" id="older" href={accountHref(path, fields, { before: String(olderBefore) })}>
          {t("account.older")}
        </a>
      )}
      {isOlder && (
        <p className="aside">
          <a id="newest" href={accountHref(path, fields)}>
            {t("account.newest")}
          </a>
        </p>
      )}
    </AccountFrame>
  );
}
