// Where the console shows what an event speaks of. Without an address there is nothing (any more) to go to, or it is none
// of the reader's.

import type { Level } from "../level";
import { organizationAddress, pageAddress } from "../pages";
import type { AuditEvent, EventMention } from "./event";

interface ObjectRef {
  type: string;
  id: string;
  resourceOwner?: string;
  projectId?: string;
  kind?: "human" | "machine" | "service" | "unknown";
}

/** The page of a person, machine, organization, project or app. */
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

/** @param event whose object was removed: none */
export function addressOfObject({ aggregate }: AuditEvent): string | undefined {
  const { type, resourceOwner, resourceOwnerName, isRemoved } = aggregate;
  if (isRemoved) return undefined;
  // The settings of the service have no organization as their owner.
  const isOfService = resourceOwnerName === undefined;
  switch (type) {
    case "policy":
      return pageAddress(isOfService ? "instance_policies" : "policies", resourceOwner);
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

/** `owner/type/language`; that of the page texts is `owner/language`. */
export const isOfMessage = (id: string): boolean => id.split("/").length === 3;

/** An app stands in events by its client id. */
export const addressOfMention = ({ appId, ...mention }: EventMention): string | undefined =>
  pageOfObject({ ...mention, id: appId ?? mention.id });

export function addressOfClient(client: NonNullable<AuditEvent["client"]>): string | undefined {
  const { appId, projectId, resourceOwner } = client;
  return appId === undefined ? undefined : pageOfObject({ type: "app", id: appId, projectId, resourceOwner });
}

/** The audit log of an organization, or of the service. */
export const logAddress = (level: Level, organizationId: string): string =>
  pageAddress(level === "instance" ? "instance_events" : "events", organizationId);
