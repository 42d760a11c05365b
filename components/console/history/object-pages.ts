// The pages of the objects that an event mentions. An object without an address was removed or is not visible to the
// reader.

import { type ConsolePage, organizationAddress, pageAddress } from "../../../shared/pages";
import type { Level } from "../parts/level";
import { idOfPolicy, POLICY_VIEWS, type PolicyPath } from "../settings/policy";
import { parseAddress, textAddress } from "../texts/address";
import { wordsAddress } from "../texts/page-address";
import type { AuditEvent, EventMention } from "./event";
import type { EventText } from "./restore-text";

interface ObjectRef {
  type: string;
  id: string;
  resourceOwner?: string;
  projectId?: string;
  kind?: "human" | "machine" | "service" | "unknown";
}

/** Returns the page of a user, machine, organization, project or app. */
export function pageOfObject({ type, id, resourceOwner, projectId, kind }: ObjectRef): string | undefined {
  if (resourceOwner === undefined) return undefined;
  const base = organizationAddress(resourceOwner);
  switch (type) {
    case "user":
      return `${pageAddress(kind === "machine" ? "machines" : "users", resourceOwner)}/${encodeURIComponent(id)}`;
    case "organization":
      return organizationAddress(id);
    case "project":
      return `${base}/projects/${encodeURIComponent(id)}`;
    case "app":
      return projectId && `${base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(id)}`;
    default:
      return undefined;
  }
}

/** Returns the address of an event's object; undefined if the object was removed. */
export function addressOfObject({ aggregate }: AuditEvent): string | undefined {
  const { type, resourceOwner, resourceOwnerName, isRemoved } = aggregate;
  if (isRemoved) return undefined;
  // The settings of the service are not owned by an organization.
  const isOfService = resourceOwnerName === undefined;
  switch (type) {
    case "policy":
      return addressOfPolicy(aggregate.id, resourceOwner, isOfService);
    case "message_text":
      return pageAddress(isOfService ? "instance_texts" : "texts", resourceOwner);
    case "login_text":
      return pageAddress(isOfService ? "instance_words" : "words", resourceOwner);
    case "text_draft": {
      const [messages, words] = isOfService
        ? (["instance_texts", "instance_words"] as const)
        : (["texts", "words"] as const);
      return pageAddress(isOfMessage(aggregate.id) ? messages : words, resourceOwner);
    }
    default:
      return pageOfObject(aggregate);
  }
}

/** The kinds of policies that other pages change, with these pages of the service and of an organization. */
const PAGES: Readonly<Record<string, readonly [ConsolePage, ConsolePage]>> = {
  identityProviders: ["instance_identity_providers", "identity_providers"],
  label: ["instance_branding", "branding"],
  labelPreview: ["instance_branding", "branding"],
  restrictions: ["features", "features"],
};
/** The kinds whose path differs. */
const PATHS: Readonly<Record<string, PolicyPath>> = { password: "password/complexity", passwordAge: "password/age" };

/** @param id the id of the owner and the kind, with a space between */
function addressOfPolicy(id: string, ownerId: string, isOfService: boolean): string {
  const kind = id.slice(id.lastIndexOf(" ") + 1);
  const [ofService, ofOrganization] = PAGES[kind] ?? ["instance_policies", "policies"];
  const page = pageAddress(isOfService ? ofService : ofOrganization, ownerId);
  const path = PATHS[kind] ?? kind;
  for (const [view, paths] of Object.entries(POLICY_VIEWS)) {
    const known = paths.find((one) => one === path);
    if (known) return `${page}?view=${view}#${idOfPolicy(known)}`;
  }
  return page;
}

/** Returns the text that an event is about, with the address of its editor; undefined for other events. */
export function textOfEvent({ aggregate }: AuditEvent): EventText | undefined {
  const { type, id, resourceOwner, resourceOwnerName } = aggregate;
  if (!["message_text", "login_text", "text_draft"].includes(type)) return undefined;
  const scope = { organizationId: resourceOwnerName === undefined ? undefined : resourceOwner };
  const [message = "", language = ""] = id.split("/").slice(-2);
  if (!isOfMessage(id)) return { scope, language, href: wordsAddress(scope, { page: FIRST_PAGE, language }) };
  const address = parseAddress(message, language);
  return address && { scope, ...address, href: textAddress(scope, address) };
}

/** The page that the editor of page texts opens with. */
const FIRST_PAGE = "sign-in";

/** Whether an id is that of a message text, `owner/type/language`; that of page texts is `owner/language`. */
export const isOfMessage = (id: string): boolean => id.split("/").length === 3;

/** Returns the address of a mentioned object. Events identify an app by its client id. */
export const addressOfMention = ({ appId, ...mention }: EventMention): string | undefined =>
  pageOfObject({ ...mention, id: appId ?? mention.id });

export function addressOfClient(client: NonNullable<AuditEvent["client"]>): string | undefined {
  const { appId, projectId, resourceOwner } = client;
  return appId === undefined ? undefined : pageOfObject({ type: "app", id: appId, projectId, resourceOwner });
}

/** Returns the address of the audit log of an organization, or of the service. */
export const logAddress = (level: Level, organizationId: string): string =>
  pageAddress(level === "instance" ? "instance_events" : "events", organizationId);
