// Organizations and domains as the management API shows them.
import type { Details } from "../list";

export interface Organization {
  id: string;
  details: Details;
  state: "ORG_STATE_ACTIVE" | "ORG_STATE_INACTIVE";
  name: string;
  primaryDomain?: string;
  defaultLanguage?: string;
  isDefault: boolean;
}

export interface Domain {
  domainName: string;
  isVerified: boolean;
  isPrimary: boolean;
  validationType: string;
  creationDate: string;
  challenge?: Challenge;
}

export interface Challenge {
  token: string;
  /** The address of the file, or the name of the DNS record. */
  url: string;
}

/** The people who would be renamed if the domain were claimed. */
export interface ClaimPreview {
  totalResult: string;
  users?: readonly { userName: string; isNotified: boolean }[];
}
