// Numbers of the service as the management API shows them.

export interface Statistics {
  counts: {
    organizations?: number;
    users: number;
    machines: number;
    projects: number;
    apps: number;
    livingSessions: number;
    userGrants: number;
  };
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
    tables?: readonly { name: string; bytes: number; rows?: number }[];
    bytesPerSession?: number;
  };
  service?: {
    version: string;
    node: string;
    database: "sqlite" | "postgresql";
    workers: number;
    migrations: { applied: number; last: string };
  };
}
