/**
 * Prepared statements by PostgreSQL's extended protocol, as pg's own queries, but for one thing: pg has the columns of
 * every result described again, which costs both sides about as much as the row itself. A connection's prepared
 * statement never changes its columns (the server refuses it then: "cached plan must not change result type"), so they
 * are described once on each connection.
 */
import type pg from "pg";
import { hotTypes } from "./postgresql-values";

interface Column {
  name: string;
  read: (text: string) => unknown;
}

/** What pg's connection offers those who submit a query themselves; its published types lack most of it. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  /** The texts of the statements that the server has prepared on this connection, by name; kept by pg. */
  parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly (string | null)[] }): void;
  describe(portal: { type: "P" }): void;
  execute(portal: object): void;
  sync(): void;
}

/** Columns of the statements of each connection, by name. */
const described = new WeakMap<Wire, Map<string, readonly Column[]>>();

/** Of one execution. */
export interface StatementResult {
  rows: Record<string, unknown>[];
  /** Rows that were read or changed. */
  count: number;
}

type Values = readonly (string | number | boolean | null)[];

interface Prepared {
  /** The same for the same text, and for no other. */
  name: string;
  text: string;
}

/**
 * Executes a statement on a connection with each of the values, in one round trip and one transaction; the first time it
 * is prepared.
 * @param lead the name of a prepared statement without values, executed first in the same transaction
 * @returns an answer for each of the values; rejects for all if one of them fails
 */
export function runPrepared(
  client: pg.PoolClient,
  statement: Prepared,
  executions: readonly Values[],
  lead?: string,
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    client.query(prepared(statement, { lead, executions }, resolve, reject) as unknown as pg.Submittable);
  });
}

/** The query as pg's client drives it: `submit` sends it, and each message that comes back has its `handle…`. */
function prepared(
  { name, text }: Prepared,
  { lead, executions }: { lead: string | undefined; executions: readonly Values[] },
  resolve: (answers: StatementResult[]) => void,
  reject: (error: unknown) => void,
) {
  const answers: StatementResult[] = [];
  let rows: StatementResult["rows"] = [];
  let columns: readonly Column[] | undefined;
  let unreadable: unknown;
  let leading = lead !== undefined;
  return {
    name,
    text,
    submit(wire: Wire) {
      columns = described.get(wire)?.get(name);
      wire.stream.cork();
      try {
        if (wire.parsedStatements[name] === undefined) wire.parse({ name, text });
        if (lead !== undefined) {
          wire.bind({ statement: lead, values: [] });
          wire.execute({});
        }
        executions.forEach((values, index) => {
          wire.bind({ statement: name, values: values.map((value) => (value === null ? null : String(value))) });
          if (!columns && index === 0) wire.describe({ type: "P" });
          wire.execute({});
        });
        wire.sync();
      } finally {
        wire.stream.uncork();
      }
    },
    handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }) {
      columns = fields.map((field) => ({ name: field.name, read: hotTypes.getTypeParser(field.dataTypeID, "text") }));
    },
    handleDataRow({ fields }: { fields: readonly (string | null)[] }) {
      if (leading) return;
      try {
        rows.push(rowOf(columns ?? [], fields));
      } catch (error) {
        unreadable = error; // thrown here it would end the connection, with nobody to tell
      }
    },
    handleCommandComplete({ text: tag }: { text: string }, wire: Wire) {
      if (leading) {
        leading = false;
        return;
      }
      const count = Number(tag.slice(tag.lastIndexOf(" ") + 1)) || 0; // `UPDATE 1`, `INSERT 0 1`, `SELECT 1`
      answers.push({ rows, count });
      rows = [];
      const known = described.get(wire) ?? new Map<string, readonly Column[]>();
      described.set(wire, known.set(name, columns ?? []));
    },
    // Only now is what was written durable.
    handleReadyForQuery: () => (unreadable === undefined ? resolve(answers) : reject(unreadable)),
    handleError: (error: unknown) => reject(error),
  };
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach(({ name, read }, index) => {
    const value = fields[index] ?? null;
    row[name] = value === null ? null : read(value);
  });
  return row;
}
