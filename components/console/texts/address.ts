// The addresses of the editor's pages.

import type { Level } from "../level";
import { organizationAddress, organizationInPath } from "../pages";
import type { MessageType } from "./messages";

export interface TextAddress {
  type: MessageType;
  language: string;
}

/** The texts of an organization or, if none is named, of the instance. */
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

/** What names of messages look like; whether there is one, the service says. */
const TYPE = /^[a-z]+(?:_[a-z]+)*$/;

/** What tags of languages of texts look like; which there are, the service says. */
export const LANGUAGE = /^[a-z]{2,3}$/;

/** Undefined for what names no message or no language. */
export function parseAddress(type: string | undefined, language: string | undefined): TextAddress | undefined {
  if (type === undefined || !TYPE.test(type) || language === undefined || !LANGUAGE.test(language)) return undefined;
  return { type: type as MessageType, language };
}

/** The text that a path names, however its organization is encoded; undefined for other pages. */
export function addressIn({ organizationId }: TextScope, path: string): TextAddress | undefined {
  const found = /^\/console\/(?:organizations\/[^/]+\/)?texts\/([^/]+)\/([^/]+)$/.exec(path);
  return found && organizationInPath(path) === organizationId ? parseAddress(found[1], found[2]) : undefined;
}
