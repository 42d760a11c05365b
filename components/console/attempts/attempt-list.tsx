// A timeline of sign-in attempts, newest first: a sentence, the user, the app, the device, the origin, and the button
// that repairs the cause.
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { pageAddress } from "../../../shared/pages";
import { LoginName, Name } from "../../ui/user-text";
import { useClientName } from "../parts/client-name";
import { Moment } from "../parts/moment";
import { appAddress, isLatest, type SignInAttempt } from "./attempt";
import { Repair, type RepairProps } from "./repair";

export interface AttemptListProps extends Omit<RepairProps, "attempt"> {
  attempts: readonly SignInAttempt[];
  /** The text shown if there are no attempts. */
  empty: string;
  /** Whether all attempts are those of one user, on that user's page. */
  isOfPerson?: boolean;
}

export function AttemptList({ attempts, empty, isOfPerson = false, ...repair }: AttemptListProps) {
  if (attempts.length === 0) return <p className="card">{empty}</p>;
  return (
    <ol className="card events attempts">
      {attempts.map((attempt, index) => (
        <li key={attempt.id}>
          <Attempt attempt={attempt} isOfPerson={isOfPerson} />
          {isLatest(attempt, attempts.slice(0, index)) && <Repair attempt={attempt} {...repair} />}
        </li>
      ))}
    </ol>
  );
}

interface AttemptProps {
  attempt: SignInAttempt;
  isOfPerson: boolean;
}

/** Reasons that concern the request of an app, before a user was identified. */
const OF_REQUESTS: ReadonlySet<SignInAttempt["reason"]> = new Set([
  "unknown_client",
  "redirect_uri_refused",
  "request_refused",
]);

function Attempt({ attempt, isOfPerson }: AttemptProps) {
  const t = useTranslations();
  const { reason, creationDate, lastDate, count, detail } = attempt;
  return (
    <>
      <p className="event-head">
        <strong className={reason === "signed_in" ? "state good" : "state bad"}>
          {t(`attempts.by.reason.${reason}`)}
        </strong>
        <Moment at={Date.parse(creationDate)} />
      </p>
      {count > 1 && (
        <p>
          {t("attempts.times", { count })} <Moment at={Date.parse(lastDate)} />
        </p>
      )}
      {OF_REQUESTS.has(reason) && detail !== undefined && (
        <p>
          <code dir="ltr">{detail}</code>
        </p>
      )}
      <About attempt={attempt} isOfPerson={isOfPerson} />
    </>
  );
}

function About({ attempt, isOfPerson }: AttemptProps) {
  const t = useTranslations();
  const { reason, userId, organizationId, displayName, loginName, address, device } = attempt;
  const person = userId !== undefined && organizationId !== undefined && (
    <a href={`${pageAddress("users", organizationId)}/${encodeURIComponent(userId)}?view=attempts`}>
      <Name>{displayName ?? userId}</Name>
    </a>
  );
  const parts: [string, ReactNode][] = [
    ["person", !isOfPerson && (person || (!OF_REQUESTS.has(reason) && t("attempts.somebody")))],
    ["name", loginName && <LoginName>{loginName}</LoginName>],
    ["app", <AppOf key="app" attempt={attempt} />],
    ["device", device ? <bdi key="device">{device}</bdi> : t("operations.unknownDevice")],
    ["address", address && <bdi>{address}</bdi>],
  ];
  return (
    <p className="quiet">
      {parts
        .filter(([, shown]) => shown)
        .map(([key, shown], index) => (
          <Fragment key={key}>
            {index > 0 && " · "}
            {shown}
          </Fragment>
        ))}
    </p>
  );
}

/** The name of the app, or its client ID if the app does not exist; nothing for the service's own pages. */
function AppOf({ attempt }: { attempt: SignInAttempt }) {
  const t = useTranslations();
  const nameOf = useClientName();
  const { clientId, appName } = attempt;
  if (clientId === undefined) return t("attempts.ownPages");
  const name = <Name>{nameOf({ id: clientId, name: appName }) ?? clientId}</Name>;
  const href = appAddress(attempt);
  return href === undefined ? name : <a href={href}>{name}</a>;
}
