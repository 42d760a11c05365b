// Where the editor is: the addresses of its pages, and those of the operations behind them.
import { locales } from "../../../messages/locales";
import { organizationAddress, organizationOf } from "../pages";
import { type MessageType, PURPOSES } from "./messages";
import type { Level } from "./text-state";

export interface TextAddress {
  type: MessageType;
  language: string;
}

/** An organization's texts, or the instance's where none is named. */
export interface Place {
  organizationId: string | undefined;
}

export const levelOf = ({ organizationId }: Place): Level =>
  organizationId === undefined ? "instance" : "organization";

export function textsAddress({ organizationId }: Place): string {
  return `${organizationId === undefined ? "/console" : organizationAddress(organizationId)}/texts`;
}

export function textAddress(place: Place, { type, language }: TextAddress): string {
  return `${textsAddress(place)}/${type}/${language}`;
}

const TYPES: readonly string[] = PURPOSES.flatMap(({ types }) => types);

/** Undefined where there is no such message or language. */
export function parseAddress(type: string | undefined, language: string | undefined): TextAddress | undefined {
  const tag = locales.find((locale) => locale.tag === language)?.tag;
  return TYPES.includes(type ?? "") && tag ? { type: type as MessageType, language: tag } : undefined;
}

/** The text a path names, however its organization is encoded; undefined for a page of another kind. */
export function addressIn({ organizationId }: Place, path: string): TextAddress | undefined {
  const found = /^\/console\/(?:organizations\/[^/]+\/)?texts\/([^/]+)\/([^/]+)$/.exec(path);
  return found && organizationOf(path) === organizationId ? parseAddress(found[1], found[2]) : undefined;
}

/** Of the operations on all texts. */
export const textsPath = (place: Place): string =>
  place.organizationId === undefined ? "/admin/v1/text" : "/management/v1/text";

/** Of the operations on one text. */
export const textPath = (place: Place, { type, language }: TextAddress): string =>
  `${textsPath(place)}/message/${type}/${language}`;
