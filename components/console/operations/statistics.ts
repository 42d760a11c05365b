// Statistics of the service as the management API returns them.

export interface Statistics {
  counts: Readonly<
    Partial<Record<"organizations" | "users" | "projects" | "apps" | "userGrants" | "livingSessions", number>>
  >;
  signIns: readonly { date: string; count: number }[];
  mail: readonly {
    date: string;
    queued: number;
    sent: number;
    kept: number;
    failed: number;
    expired: number;
  }[];
  storage?: {
    bytes: number;
    tables?: readonly { name: string; bytes: number }[];
    bytesPerSession?: number;
  };
  service?: {
    version: string;
    runtime: string;
    database: "sqlite" | "postgresql";
    workers: number;
    migrations: { applied: number; last: string };
  };
}

/** How many days count as "now" for failing mail. */
const RECENT = 2;

export function recentlyFailed({ mail }: Pick<Statistics, "mail">): number {
  return mail.slice(-RECENT).reduce((count, { failed }) => count + failed, 0);
}
