// The sessions of a user and their connected apps; each can be ended separately, or all at once.
import { useTranslations } from "next-intl";
import { DeleteSession, RevokeUserToken, SignOutUser } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Table } from "../lists/table";
import type { ActiveSession } from "../operations/active-session";
import { SessionDevice, SessionMethods } from "../operations/session-parts";
import { useClientName } from "../parts/client-name";
import { nameOf, type User, type UserToken } from "./user";

export interface SessionsViewProps {
  user: User;
  sessions: readonly ActiveSession[];
  tokens: readonly UserToken[];
  /** The visitor's own session. */
  currentSessionId: string;
  mayEnd: boolean;
}

export function SessionsView({ user, sessions, tokens, currentSessionId, mayEnd }: SessionsViewProps) {
  const t = useTranslations();
  const clientName = useClientName();
  const nameOfApp = ({ appName, clientId }: UserToken) => clientName({ id: clientId, name: appName });
  const at = { userId: user.id };
  return (
    <>
      <section aria-labelledby="sessions" className="section">
        <div className="head">
          <h2 id="sessions">{t("directory.sessions")}</h2>
          {mayEnd && sessions.length > 0 && (
            <ConfirmButton
              id="end-all-sessions"
              label={t("directory.endAll")}
              title={t("directory.endAllTitle", { name: nameOf(user) })}
              text={<p>{t("directory.endAllText")}</p>}
              operation={SignOutUser}
              at={at}
              done={t("directory.ended")}
            />
          )}
        </div>
        <Table
          caption={t("directory.sessions")}
          rows={sessions}
          keyOf={({ id }) => id}
          empty={<p>{t("directory.noSessions")}</p>}
          columns={[
            {
              id: "device",
              label: t("directory.device"),
              size: "text",
              isPlain: true,
              cell: (session) => (
                <>
                  {session.id === currentSessionId && <span className="state good">{t("directory.thisSession")}</span>}{" "}
                  <SessionDevice session={session} />
                </>
              ),
            },
            {
              id: "address",
              label: t("directory.ipAddress"),
              size: "fit",
              isPlain: true,
              cell: ({ address }) => address && <bdi>{address}</bdi>,
            },
            { id: "started", label: t("directory.started"), date: ({ authenticationDate }) => authenticationDate },
            { id: "seen", label: t("directory.lastSeen"), date: ({ lastSeenDate }) => lastSeenDate },
            {
              id: "by",
              label: t("directory.signedInBy"),
              size: "text",
              isMinor: true,
              cell: ({ methods }) => <SessionMethods methods={methods} />,
            },
          ]}
          actions={({ id }) =>
            mayEnd && (
              <ConfirmButton
                id={`end-${id}`}
                label={t("directory.end")}
                title={t("directory.endTitle", { name: nameOf(user) })}
                text={<p>{t("directory.endText")}</p>}
                operation={DeleteSession}
                at={{ sessionId: id }}
                done={t("directory.ended")}
              />
            )
          }
        />
      </section>
      <section aria-labelledby="tokens" className="section">
        <h2 id="tokens">{t("directory.tokens")}</h2>
        <Table
          caption={t("directory.tokens")}
          rows={tokens}
          keyOf={({ id }) => id}
          empty={<p>{t("directory.noTokens")}</p>}
          columns={[
            {
              id: "app",
              label: t("directory.app"),
              size: "text",
              isPlain: true,
              cell: (token) => {
                const name = nameOfApp(token);
                return name === undefined ? <code>{token.clientId}</code> : <Name>{name}</Name>;
              },
            },
            {
              id: "actor",
              label: t("directory.actor"),
              size: "fit",
              cell: ({ actorId, actorName }) =>
                actorName === undefined ? actorId && <code>{actorId}</code> : <Name>{actorName}</Name>,
            },
            {
              id: "scopes",
              label: t("directory.scopes"),
              size: "text",
              title: ({ scopes }) => scopes.join(" "),
              cell: ({ scopes }) => scopes.join(" "),
            },
            { id: "created", label: t("directory.allowed"), date: ({ creationDate }) => creationDate },
          ]}
          actions={(token) =>
            mayEnd && (
              <ConfirmButton
                id={`revoke-${token.id}`}
                label={t("directory.revoke")}
                title={t("directory.revokeTitle", { name: nameOfApp(token) ?? token.clientId })}
                text={<p>{t("directory.revokeText")}</p>}
                operation={RevokeUserToken}
                at={{ ...at, grantId: token.id }}
                done={t("directory.revoked")}
              />
            )
          }
        />
      </section>
    </>
  );
}
