/** Wraps a database to measure its writes. Reads are not measured, as there are several in every request. */
import { timeWrite } from "../../metrics/instruments";
import type { Database } from "../database";

export function measured(db: Database): Database {
  return {
    ...db,
    run: (sql, values) => timeWrite("run", () => db.run(sql, values)),
    commit: (unit) => timeWrite("commit", () => db.commit(unit)),
    transaction: (work, options) => timeWrite("transaction", () => db.transaction(work, options)),
  };
}
