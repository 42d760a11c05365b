// All sessions of an organization, or of all organizations, newest first.
import { useTranslations } from "next-intl";
import { DeleteSession } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import type { ListAnswer } from "../calls/list";
import { ConfirmButton } from "../dialogs/confirm-button";
import { ListPage } from "../lists/list-page";
import { TokenPager } from "../lists/token-pager";
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
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function SessionList(props: SessionListProps) {
  const { title, path, list, isFirstPage, currentSessionId, mayEnd, toggled } = props;
  const t = useTranslations();
  const count = Number(list.details.totalResult);
  return (
    <ListPage
      title={title}
      head={count > 0 && <p className="lead">{t("operations.sessionsLead", { count })}</p>}
      name="sessions"
      toggled={toggled}
      path={path}
      rows={list.result}
      keyOf={({ id }) => id}
      empty={<p>{t("operations.noSessions")}</p>}
      columns={[
        {
          id: "who",
          label: t("operations.who"),
          isPlain: true,
          text: ({ displayName, loginName }) => displayName || loginName,
          href: ({ userId, organizationId }) =>
            `${pageAddress("users", organizationId)}/${encodeURIComponent(userId)}?view=sessions`,
        },
        {
          id: "login",
          label: t("frame.loginName"),
          isPlain: true,
          choice: "shown",
          login: ({ loginName }) => loginName,
        },
        {
          id: "device",
          label: t("operations.device"),
          size: "text",
          isWide: true,
          isPlain: true,
          cell: (session) => (
            <>
              {session.id === currentSessionId && <span className="state good">{t("operations.thisSession")}</span>}{" "}
              <SessionDevice session={session} />
            </>
          ),
        },
        {
          id: "address",
          label: t("operations.ipAddress"),
          size: "fit",
          isPlain: true,
          isMinor: true,
          choice: "shown",
          cell: ({ address }) => address && <bdi>{address}</bdi>,
        },
        {
          id: "by",
          label: t("directory.signedInBy"),
          size: "text",
          isMinor: true,
          choice: "hidden",
          cell: ({ methods }) => <SessionMethods methods={methods} />,
        },
        {
          id: "since",
          label: t("operations.signedIn"),
          choice: "shown",
          date: ({ authenticationDate }) => authenticationDate,
        },
        { id: "seen", label: t("operations.lastSeen"), choice: "shown", date: ({ lastSeenDate }) => lastSeenDate },
      ]}
      actions={({ id, displayName, loginName }) =>
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
        )
      }
      pager={<TokenPager path={path} isFirstPage={isFirstPage} nextPageToken={list.nextPageToken} />}
    />
  );
}
