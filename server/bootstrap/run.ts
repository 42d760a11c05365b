/** What applying a bootstrap file carries along, and what is told of it afterwards. */
import type { Context } from "../context";
import type { InstanceRow } from "../directory/instance";
import type { Origin } from "../events/record";
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
  /** Who does everything the file does, in the audit trail. */
  origin: Origin;
  /** An app that needs a secret may come without one, and gets none. */
  secretsMayBeMissing: boolean;
  instance: InstanceRow;
  report: BootstrapReport;
  /** Hashes of the passwords of people who are new, by path. */
  passwordHashes: ReadonlyMap<string, string>;
  /** Who has a domain verified, as asked so far. */
  domainOwners: Map<string, string | undefined>;
}

/** What the file at start does is done by the file. */
export const BOOTSTRAP: Origin = { actor: "bootstrap" };
