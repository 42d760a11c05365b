// The clients that no administrator registered, and the initial access tokens with which clients register.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { CreateRegistrationToken, RemoveApp, RemoveRegistrationToken } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { FormDialog } from "../forms/form-dialog";
import { Table } from "../lists/table";
import { TokenPager } from "../lists/token-pager";
import { Ago } from "../parts/moment";

type ClientList = AnswerOf<"ListRegisteredClients">;
type InitialToken = AnswerOf<"ListRegistrationTokens">["result"][number];

export interface RegisteredClientsPageProps {
  clients: ClientList;
  tokens: readonly InitialToken[];
  mayWrite: boolean;
  /** The address of the page. */
  path: string;
  isFirstPage: boolean;
}

export function RegisteredClientsPage({ clients, tokens, mayWrite, path, isFirstPage }: RegisteredClientsPageProps) {
  const t = useTranslations();
  return (
    <>
      <h1>{t("pages.registered_clients")}</h1>
      <p className="lead">{t("settings.clientsLead")}</p>
      <Clients clients={clients} mayWrite={mayWrite} />
      <TokenPager path={path} isFirstPage={isFirstPage} nextPageToken={clients.nextPageToken} />
      <Tokens tokens={tokens} mayWrite={mayWrite} />
    </>
  );
}

const agoOf = (date: string | undefined) => (date === undefined ? undefined : <Ago at={Date.parse(date)} />);

function Clients({ clients, mayWrite }: Pick<RegisteredClientsPageProps, "clients" | "mayWrite">) {
  const t = useTranslations();
  return (
    <Table
      caption={t("pages.registered_clients")}
      rows={clients.result}
      keyOf={({ appId }) => appId}
      empty={<p>{t("settings.clientsNone")}</p>}
      columns={[
        {
          id: "name",
          label: t("directory.name"),
          size: "text",
          isPlain: true,
          title: ({ name, clientId }) => `${name} · ${clientId}`,
          cell: ({ name }) => <Name>{name}</Name>,
        },
        {
          id: "origin",
          label: t("settings.clientsOrigin"),
          size: "text",
          title: ({ host, address }) => host ?? address,
          cell: ({ host, address }) => <bdi>{host ?? address}</bdi>,
        },
        { id: "since", label: t("settings.clientsSince"), size: "fit", cell: (client) => agoOf(client.creationDate) },
        {
          id: "used",
          label: t("settings.clientsUsed"),
          size: "fit",
          cell: ({ lastUsed }) => agoOf(lastUsed) ?? t("settings.never"),
        },
      ]}
      actions={({ appId, projectId, organizationId, name }) =>
        mayWrite && (
          <ConfirmButton
            id={`remove-${appId}`}
            triggerLook="plain"
            label={t("directory.remove")}
            title={t("directory.removeTitle", { name })}
            text={<p>{t("settings.clientsRemoveText")}</p>}
            operation={RemoveApp}
            organizationId={organizationId}
            at={{ projectId, appId }}
            done={t("directory.removed")}
          />
        )
      }
    />
  );
}

function Tokens({ tokens, mayWrite }: Pick<RegisteredClientsPageProps, "tokens" | "mayWrite">) {
  const t = useTranslations();
  const title = t("settings.initialTokens");
  return (
    <section aria-labelledby="tokens" className="section">
      <div className="head">
        <h2 id="tokens">{title}</h2>
        {mayWrite && (
          <FormDialog
            id="create-token"
            label={t("settings.createToken")}
            description={t("settings.createTokenText")}
            operation={CreateRegistrationToken}
            done={t("settings.tokenCreated")}
            reveal={{
              title: t("settings.tokenCreated"),
              text: t("settings.tokenOnce"),
              fileName: "registration.env",
              values: [{ name: "token", label: t("settings.initialToken"), variable: "REGISTRATION_TOKEN" }],
            }}
          />
        )}
      </div>
      <Table
        caption={title}
        rows={tokens}
        keyOf={({ id }) => id}
        empty={<p>{t("settings.initialTokensNone")}</p>}
        columns={[
          { id: "since", label: t("settings.clientsSince"), cell: (token) => agoOf(token.creationDate) },
          { id: "expires", label: t("settings.expires"), cell: ({ expirationDate }) => agoOf(expirationDate) },
          {
            id: "used",
            label: t("settings.clientsUsed"),
            cell: ({ lastUsed }) => agoOf(lastUsed) ?? t("settings.never"),
          },
        ]}
        actions={({ id }) =>
          mayWrite && (
            <ConfirmButton
              id={`revoke-${id}`}
              triggerLook="plain"
              label={t("operations.revokeKeyNow")}
              title={t("settings.revokeToken")}
              text={<p>{t("settings.revokeTokenText")}</p>}
              operation={RemoveRegistrationToken}
              at={{ tokenId: id }}
              done={t("directory.removed")}
            />
          )
        }
      />
    </section>
  );
}
