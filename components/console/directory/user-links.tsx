// The accounts at identity providers by which a user signs in.
import { useTranslations } from "next-intl";
import { RemoveHumanLinkedIDP } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Table } from "../lists/table";
import type { UserLink } from "./user";

export interface UserLinksProps {
  userId: string;
  links: readonly UserLink[];
  mayWrite: boolean;
}

export function UserLinks({ userId, links, mayWrite }: UserLinksProps) {
  const t = useTranslations();
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="links" className="section">
      <h2 id="links">{t("directory.links")}</h2>
      <Table
        caption={t("directory.links")}
        rows={links}
        keyOf={(link) => `${link.idpId}/${link.userId}`}
        empty={null}
        columns={[
          { id: "provider", label: t("directory.linkProvider"), cell: ({ idpName }) => <Name>{idpName}</Name> },
          { id: "name", label: t("directory.linkAccount"), cell: ({ userName }) => <Name>{userName}</Name> },
          { id: "created", label: t("directory.created"), moment: ({ creationDate }) => creationDate },
        ]}
        actions={({ idpId, idpName, userId: linkedUserId, userName }) =>
          mayWrite && (
            <ConfirmButton
              id={`remove-${idpId}-${linkedUserId}`}
              label={t("directory.remove")}
              title={t("directory.removeTitle", { name: `${idpName} · ${userName}` })}
              text={<p>{t("directory.removeFactor")}</p>}
              operation={RemoveHumanLinkedIDP}
              at={{ userId, idpId, linkedUserId }}
              done={t("directory.removed")}
            />
          )
        }
      />
    </section>
  );
}
