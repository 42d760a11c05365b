// The sessions of a user, with sign-out of one browser or all others, after a confirmation.
import type { LoginTranslator } from "../../../messages/login";
import { bdi } from "../../ui/user-text";
import { type AccountFields, AccountFrame, accountHref } from "../account-frame";
import { deviceText } from "./device-text";
import { momentIn } from "./times";

export interface AccountSession {
  id: string;
  /** The browser and the system, such as "Firefox · Linux". */
  device: string | undefined;
  address?: string;
  /** Epoch milliseconds. */
  lastSeenAt: number;
  /** Whether it is the session of this browser. */
  current: boolean;
}

export interface AccountSessionsProps {
  fields: AccountFields;
  confirmPath: string;
  saved: boolean;
  timeZone: string;
  sessions: readonly AccountSession[];
  organizationName?: string;
}

type Props = AccountSessionsProps & { t: LoginTranslator; locale: string };

export function AccountSessionsPage(props: Props) {
  const { t, fields, confirmPath, saved, sessions, timeZone } = props;
  return (
    <AccountFrame t={t} section="sessions" fields={fields} saved={saved}>
      <p>{t("account.timesIn", { zone: timeZone })}</p>
      <ul className="entries">
        {sessions.map((session, index) => (
          <Session key={session.id} {...props} session={session} id={`end-session-${index + 1}`} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <a className="secondary" id="end-others" href={accountHref(confirmPath, fields, { what: "end-others" })}>
          {t("account.endOthers")}
        </a>
      )}
    </AccountFrame>
  );
}

function Session({ t, timeZone, fields, confirmPath, ...props }: Props & { session: AccountSession; id: string }) {
  const { device, address, lastSeenAt, current, id } = props.session;
  const name = deviceText(t, device);
  const seen = (sentence: "account.seen" | "account.seenFrom") => ({
    date: momentIn(t, sentence, timeZone)(lastSeenAt),
  });
  return (
    <li>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <p>
        {address
          ? t("account.seenFrom", { ...seen("account.seenFrom"), address })
          : t("account.seen", seen("account.seen"))}
      </p>
      {current ? (
        <p className="state active">{t("account.thisBrowser")}</p>
      ) : (
        <p>
          <a id={props.id} href={accountHref(confirmPath, fields, { what: "end-session", id })}>
            <span aria-hidden="true">{t("account.signOut")}</span>
            <span className="hidden">{t.rich("account.endOf", { ...bdi, name })}</span>
          </a>
        </p>
      )}
    </li>
  );
}
