// The addresses of the editor's pages.

import { organizationAddress, organizationInPath, pageAddress } from "../../../shared/pages";
import type { Level } from "../parts/level";
import type { MessageType } from "./messages";

export interface TextAddress {
  type: MessageType;
  language: string;
}

/** Identifies whose texts are edited: those of an organization or, without one, of the instance. */
export interface TextScope {
  organizationId: string | undefined;
}

export const levelOfScope = ({ organizationId }: TextScope): Level =>
  organizationId === undefined ? "instance" : "organization";

export function textsAddress({ organizationId }: TextScope): string {
  return `${organizationId === undefined ? "/console" : organizationAddress(organizationId)}/texts`;
}

export function textAddress(scope: TextScope, { type, language }: TextAddress): string {
  return `${textsAddress(scope)}/${type}/${language}`;
}

/** Returns the address of the audit log that has the changes of the texts. */
export const textsLogAddress = ({ organizationId }: TextScope): string =>
  organizationId === undefined ? pageAddress("instance_events", "") : pageAddress("events", organizationId);

/** The format of message names; the server checks whether a message exists. */
const TYPE = /^[a-z]+(?:_[a-z]+)*$/;

/** The format of language tags of texts; the server checks whether a language exists. */
export const LANGUAGE = /^[a-z]{2,3}$/;

/** Parses an address; undefined if a part is not a valid message name or language. */
export function parseAddress(type: string | undefined, language: string | undefined): TextAddress | undefined {
  if (type === undefined || !TYPE.test(type) || language === undefined || !LANGUAGE.test(language)) return undefined;
  return { type: type as MessageType, language };
}

/** Returns the text that a path names, however its organization is encoded; undefined for other pages. */
export function addressIn({ organizationId }: TextScope, path: string): TextAddress | undefined {
  const found = /^\/console\/(?:organizations\/[^/]+\/)?texts\/([^/]+)\/([^/]+)$/.exec(path);
  return found && organizationInPath(path) === organizationId ? parseAddress(found[1], found[2]) : undefined;
}
