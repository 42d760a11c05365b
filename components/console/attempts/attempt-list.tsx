// Sign-in attempts, newest first: the result, the user, the app, the device, the origin, and the button that repairs
// the cause.
import { useTranslations } from "next-intl";
import { pageAddress } from "../../../shared/pages";
import { LoginName, Name } from "../../ui/user-text";
import { type Column, Table } from "../lists/table";
import { useClientName } from "../parts/client-name";
import { appAddress, isLatest, type SignInAttempt } from "./attempt";
import { Repair, type RepairProps } from "./repair";

export interface AttemptColumnsProps extends Omit<RepairProps, "attempt"> {
  attempts: readonly SignInAttempt[];
  /** Whether all attempts are those of one user, on that user's page. */
  isOfPerson?: boolean;
}

export interface AttemptListProps extends AttemptColumnsProps {
  /** The text shown if there are no attempts. */
  empty: string;
}

/** A list without a search, on the page of a user or an app. */
export function AttemptList({ empty, ...props }: AttemptListProps) {
  const t = useTranslations();
  const columns = useAttemptColumns(props).filter(({ choice }) => choice !== "hidden");
  return (
    <div className="attempts">
      <Table
        caption={t("pages.attempts")}
        rows={props.attempts}
        keyOf={({ id }) => id}
        empty={<p>{empty}</p>}
        columns={columns}
      />
    </div>
  );
}

/** Reasons that concern the request of an app, before a user was identified. */
const OF_REQUESTS: ReadonlySet<SignInAttempt["reason"]> = new Set([
  "unknown_client",
  "redirect_uri_refused",
  "request_refused",
]);

/** Reasons whose detail is a code for programs. */
const CODED: ReadonlySet<SignInAttempt["reason"]> = new Set([
  ...OF_REQUESTS,
  "factor_failed",
  "factor_throttled",
  "disowned",
]);

export function useAttemptColumns({ attempts, isOfPerson, ...repair }: AttemptColumnsProps): Column<SignInAttempt>[] {
  const t = useTranslations();
  const who: Column<SignInAttempt> = {
    id: "who",
    label: t("attempts.who"),
    size: "text",
    isWide: true,
    isPlain: true,
    title: ({ reason, detail, displayName, loginName }) =>
      OF_REQUESTS.has(reason) ? detail : [displayName, loginName].filter(Boolean).join(" · "),
    cell: (attempt) => <Who attempt={attempt} isOfPerson={isOfPerson} />,
  };
  return [
    {
      id: "reason",
      label: t("attempts.what"),
      size: "text",
      isPlain: true,
      title: ({ reason, detail }) =>
        [t(`attempts.by.reason.${reason}`), CODED.has(reason) ? undefined : detail].filter(Boolean).join(" · "),
      cell: (attempt) => <Result attempt={attempt} />,
    },
    who,
    {
      id: "app",
      label: t("directory.app"),
      size: "text",
      isPlain: true,
      choice: "shown",
      cell: (attempt) => <AppOf attempt={attempt} />,
    },
    {
      id: "device",
      label: t("directory.device"),
      size: "text",
      isPlain: true,
      isMinor: true,
      choice: "shown",
      title: ({ device }) => device,
      cell: ({ device }) => (device ? <bdi>{device}</bdi> : t("operations.unknownDevice")),
    },
    {
      id: "address",
      label: t("directory.ipAddress"),
      size: "fit",
      isPlain: true,
      isMinor: true,
      choice: "hidden",
      cell: ({ address }) => address && <bdi>{address}</bdi>,
    },
    { id: "when", label: t("history.when"), isPlain: true, date: ({ lastDate }) => lastDate },
    {
      id: "actions",
      label: t("directory.actions"),
      size: "fit",
      isQuiet: true,
      cell: (attempt) =>
        isLatest(attempt, attempts.slice(0, attempts.indexOf(attempt))) && <Repair attempt={attempt} {...repair} />,
    },
  ];
}

/** The result, and of a sign-in at an identity provider, which checks its response passed. */
function Result({ attempt: { reason, count, detail } }: { attempt: SignInAttempt }) {
  const t = useTranslations();
  return (
    <>
      <span className={reason === "signed_in" ? undefined : "state bad"}>{t(`attempts.by.reason.${reason}`)}</span>
      {count > 1 && (
        <span className="quiet" title={t("attempts.count", { count })}>
          {" "}
          × {count}
        </span>
      )}
      {detail !== undefined && !CODED.has(reason) && (
        <small className="quiet checks">
          <bdi>{detail}</bdi>
        </small>
      )}
    </>
  );
}

/** The user and the login name that was entered, or what was refused in the request of an app. */
function Who({ attempt, isOfPerson }: { attempt: SignInAttempt; isOfPerson: boolean | undefined }) {
  const t = useTranslations();
  const { reason, detail, userId, organizationId, displayName, loginName } = attempt;
  if (OF_REQUESTS.has(reason)) return detail !== undefined && <code dir="ltr">{detail}</code>;
  const isKnown = userId !== undefined && organizationId !== undefined;
  return (
    <>
      {!isOfPerson &&
        (isKnown ? (
          <a href={`${pageAddress("users", organizationId)}/${encodeURIComponent(userId)}?view=attempts`}>
            <Name>{displayName ?? userId}</Name>
          </a>
        ) : (
          t("attempts.unknownUser")
        ))}
      {loginName !== undefined && loginName !== displayName && (
        <span className="quiet">
          {!isOfPerson && " · "}
          <LoginName isOneLine>{loginName}</LoginName>
        </span>
      )}
    </>
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
