/** What applying a bootstrap file carries along, and what is told of it afterwards. */
import type { Context } from "../context";
import type { InstanceRow } from "../directory/instance";
import type { Transaction } from "../storage/database";

/** All empty: nothing differed, nothing was written. */
export interface BootstrapReport {
  /** As in `user ada@acme.test`. */
  created: string[];
  updated: string[];
  /** What works but is hardly meant, as `path: reason`. */
  warnings: string[];
}

export interface Run {
  ctx: Context;
  tx: Transaction;
  instance: InstanceRow;
  report: BootstrapReport;
  /** Hashes of the passwords of people who are new, by path. */
  passwordHashes: ReadonlyMap<string, string>;
  /** Who has a domain verified, as asked so far. */
  domainOwners: Map<string, string | undefined>;
}

/** Everything the file does is done by it, in the audit trail. */
export const BOOTSTRAP = { actor: "bootstrap" } as const;
