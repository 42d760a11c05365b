// All sessions of an organization, or of all organizations, newest first.
import { useTranslations } from "next-intl";
import { DeleteSession } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { LoginName, Name } from "../../ui/user-text";
import type { ListAnswer } from "../calls/list";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Table } from "../lists/table";
import { TokenPager } from "../lists/token-pager";
import { Moment } from "../parts/moment";
import type { ActiveSession } from "./active-session";
import { SessionDevice, SessionMethods } from "./session-parts";

export interface SessionListProps {
  title: string;
  /** The address of the page. */
  path: string;
  list: ListAnswer<ActiveSession>;
  isFirstPage: boolean;
  currentSessionId: string;
  mayEnd: boolean;
}

export function SessionList({ title, path, list, isFirstPage, currentSessionId, mayEnd }: SessionListProps) {
  const t = useTranslations();
  const count = Number(list.details.totalResult);
  return (
    <>
      <h1>{title}</h1>
      {count > 0 && <p className="lead">{t("operations.sessionsLead", { count })}</p>}
      <Table
        caption={title}
        rows={list.result}
        keyOf={({ id }) => id}
        empty={<p>{t("operations.noSessions")}</p>}
        columns={[
          {
            id: "who",
            label: t("operations.who"),
            cell: ({ userId, organizationId, displayName, loginName }) => (
              <>
                <a href={`${pageAddress("users", organizationId)}/${encodeURIComponent(userId)}?view=sessions`}>
                  <Name>{displayName || loginName}</Name>
                </a>
                <p className="quiet">
                  <LoginName>{loginName}</LoginName>
                </p>
              </>
            ),
          },
          {
            id: "device",
            label: t("operations.device"),
            cell: (session) => (
              <>
                <SessionDevice session={session} />{" "}
                {session.id === currentSessionId && <p className="state good">{t("operations.thisSession")}</p>}
              </>
            ),
          },
          { id: "address", label: t("operations.ipAddress"), cell: ({ address }) => address && <bdi>{address}</bdi> },
          {
            id: "since",
            label: t("operations.signedIn"),
            cell: ({ authenticationDate, methods }) => (
              <>
                <Moment at={Date.parse(authenticationDate)} />
                <p className="quiet">
                  <SessionMethods methods={methods} />
                </p>
              </>
            ),
          },
          {
            id: "seen",
            label: t("operations.lastSeen"),
            cell: ({ lastSeenDate }) => <Moment at={Date.parse(lastSeenDate)} />,
          },
          {
            id: "actions",
            label: t("operations.actions"),
            isQuiet: true,
            cell: ({ id, displayName, loginName }) =>
              mayEnd && (
                <ConfirmButton
                  id={`end-${id}`}
                  label={t("operations.end")}
                  title={t("operations.endTitle", { name: displayName || loginName })}
                  text={<p>{t("operations.endText")}</p>}
                  operation={DeleteSession}
                  at={{ sessionId: id }}
                  done={t("operations.ended")}
                />
              ),
          },
        ]}
      />
      <TokenPager path={path} isFirstPage={isFirstPage} nextPageToken={list.nextPageToken} />
    </>
  );
}
