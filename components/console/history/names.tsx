// What an event speaks of, by name, as a link where the reader may open it.
import { useLocale, useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import { useClientName } from "../client-name";
import type { AuditEvent } from "./event";
import { addressOfClient, addressOfMention, addressOfObject, isOfMessage, pageOfObject } from "./object-pages";
import { type Gap, recorded } from "./sentence";

/** The service itself, where no person did it; each has a name, `history.by.part.<id>`. */
const PARTS: readonly string[] = ["bootstrap", "operator", "system"];

function Linked({ name, href }: { name: string; href: string | undefined }) {
  return href === undefined ? <Name>{name}</Name> : <a href={href}>{<Name>{name}</Name>}</a>;
}

export function ActorName({ actor }: Pick<AuditEvent, "actor">) {
  const t = useTranslations();
  if (PARTS.includes(actor.id)) return <>{t(`history.by.part.${actor.id}`)}</>;
  return <Linked name={actor.name ?? actor.id} href={pageOfObject({ ...actor, type: "user" })} />;
}

/** The policies that have a page or a part of one, with the text of its title. */
const POLICIES: Readonly<Record<string, string>> = {
  login: "settings.by.policy.login",
  password: "settings.by.policy.password-complexity",
  lockout: "settings.by.policy.lockout",
  notification: "settings.by.policy.notification",
  privacy: "settings.by.policy.privacy",
  texts: "settings.by.policy.texts",
  restrictions: "pages.features",
  label: "pages.branding",
  labelPreview: "pages.branding",
};

/** Its name in words, as texts and policies have none of their own; for others the one given, else the id. */
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

/** Two or three letters and what may follow them (BCP 47); anything else makes Intl throw. */
const isTag = (tag: string): boolean => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag);

export function ObjectName({ event }: { event: AuditEvent }) {
  const nameOf = useObjectName();
  return <Linked name={nameOf(event.aggregate)} href={addressOfObject(event)} />;
}

/** The name of the client that it was done by; undefined on the service's own pages. */
export function ClientName({ client }: { client: NonNullable<AuditEvent["client"]> }) {
  const name = useClientName()(client) ?? client.id;
  return <Linked name={name} href={addressOfClient(client)} />;
}

const FIELDS = { person: "userId", project: "projectId", app: "clientId" } as const;
const VALUES = { domain: "domain", role: "roleKey" } as const;

/** What fills a gap of the sentence; an ellipsis if the event does not say it. */
export function GapName({ gap, event }: { gap: Gap; event: AuditEvent }) {
  if (gap === "actor") return <ActorName actor={event.actor} />;
  if (gap === "object") return <ObjectName event={event} />;
  if (gap === "domain" || gap === "role") return <Name>{recorded(event, VALUES[gap]) ?? "…"}</Name>;
  const mention = event.mentions.find(({ field }) => field === FIELDS[gap]);
  if (mention === undefined) return <>…</>;
  if (gap === "app") return <ClientName client={{ ...mention, id: mention.id }} />;
  return <Linked name={mention.name ?? mention.id} href={addressOfMention(mention)} />;
}
