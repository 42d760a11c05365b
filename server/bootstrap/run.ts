/** The state while a bootstrap file is applied, and the report afterwards. */
import type { InstanceRow } from "../directory/instance";
import type { ChangeContext, Origin } from "../events/record";

/** The applied changes; all lists are empty if nothing differed. */
export interface BootstrapReport {
  /** For instance `user ada@acme.test`. */
  created: string[];
  updated: string[];
  /** Settings that are probably a mistake, as `path: reason`. */
  warnings: string[];
}

export interface Run {
  /** Its origin is recorded in the audit trail as the cause of all changes. */
  ctx: ChangeContext;
  /** Whether new apps that need a secret may be created without one. */
  secretsMayBeMissing: boolean;
  /** Whether the policy of texts applies to the caller (rule TEXT-12); the operator's file needs no approval. */
  textsMayNeedApproval: boolean;
  instance: InstanceRow;
  report: BootstrapReport;
  /** Password hashes of new users, by their path in the file. */
  passwordHashes: ReadonlyMap<string, string>;
  /** Cache: the other organization that has verified a domain, by the requesting organization and the domain. */
  domainOwners: Map<string, string | undefined>;
}

/** The origin of changes by the file that is applied at start. */
export const BOOTSTRAP: Origin = { actor: "bootstrap" };
