// The names of the objects that an event mentions, linked if the reader may open them.
import { useLocale, useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import { useClientName } from "../parts/client-name";
import type { AuditEvent } from "./event";
import { addressOfClient, addressOfMention, addressOfObject, isOfMessage, pageOfObject } from "./object-pages";
import { type Gap, recorded } from "./sentence";

/** The parts of the service that act without a user; each has a name, `history.by.part.<id>`. */
const PARTS: readonly string[] = ["bootstrap", "operator", "system"];

function Linked({ name, href }: { name: string; href: string | undefined }) {
  return href === undefined ? <Name>{name}</Name> : <a href={href}>{<Name>{name}</Name>}</a>;
}

export function ActorName({ actor }: Pick<AuditEvent, "actor">) {
  const t = useTranslations();
  if (PARTS.includes(actor.id)) return <>{t(`history.by.part.${actor.id}`)}</>;
  return <Linked name={actor.name ?? actor.id} href={pageOfObject({ ...actor, type: "user" })} />;
}

/** The policies that have a page or a section, with the text of its title. */
const POLICIES: Readonly<Record<string, string>> = {
  login: "settings.by.policy.login",
  identityProviders: "pages.identity_providers",
  password: "settings.by.policy.password-complexity",
  passwordAge: "settings.by.policy.password-age",
  lockout: "settings.by.policy.lockout",
  notification: "settings.by.policy.notification",
  privacy: "settings.by.policy.privacy",
  texts: "settings.by.policy.texts",
  restrictions: "pages.features",
  label: "pages.branding",
  labelPreview: "pages.branding",
};

/**
 * Returns a function that gives the name of an object: in words for texts and policies, which have none; else the
 * recorded name or the id.
 */
function useObjectName(): (object: AuditEvent["aggregate"]) => string {
  const t = useTranslations();
  const locale = useLocale();
  const languageOf = (tag = "") => (isTag(tag) ? new Intl.DisplayNames([locale], { type: "language" }).of(tag) : tag);
  return ({ type, id, name }) => {
    if (type === "policy") {
      const kind = id.slice(id.lastIndexOf(" ") + 1);
      const key = POLICIES[kind];
      return key === undefined ? kind : t(key);
    }
    if (type === "message_text" || (type === "text_draft" && isOfMessage(id))) {
      const [message = "", tag] = id.split("/").slice(-2);
      return `${t.has(`types.${message}`) ? t(`types.${message}`) : message} (${languageOf(tag)})`;
    }
    if (type === "login_text" || type === "text_draft") return `${languageOf(id.split("/").at(-1))}`;
    return name ?? id;
  };
}

/** Whether a text is a language tag (BCP 47); anything else makes Intl throw. */
const isTag = (tag: string): boolean => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag);

export function ObjectName({ event }: { event: AuditEvent }) {
  const nameOf = useObjectName();
  return <Linked name={nameOf(event.aggregate)} href={addressOfObject(event)} />;
}

/** The name of the client that caused the event; undefined on the service's own pages. */
export function ClientName({ client }: { client: NonNullable<AuditEvent["client"]> }) {
  const name = useClientName()(client) ?? client.id;
  return <Linked name={name} href={addressOfClient(client)} />;
}

const FIELDS = { person: "userId", project: "projectId", app: "clientId" } as const;
const VALUES = { domain: "domain", role: "roleKey" } as const;

/** The content of a gap of the sentence; an ellipsis if the event does not contain it. */
export function GapName({ gap, event }: { gap: Gap; event: AuditEvent }) {
  if (gap === "actor") return <ActorName actor={event.actor} />;
  if (gap === "object") return <ObjectName event={event} />;
  if (gap === "domain" || gap === "role") return <Name>{recorded(event, VALUES[gap]) ?? "…"}</Name>;
  const mention = event.mentions.find(({ field }) => field === FIELDS[gap]);
  if (mention === undefined) return <>…</>;
  if (gap === "app") return <ClientName client={{ ...mention, id: mention.id }} />;
  return <Linked name={mention.name ?? mention.id} href={addressOfMention(mention)} />;
}
