/**
 * Hand-written statements, typed by the tables of the schema. `statement` is compiled at its first use and never again;
 * `bind` compiles one whose text depends on the call.
 */
import {
  type Compilable,
  DummyDriver,
  type Expression,
  type ExpressionBuilder,
  ExpressionWrapper,
  expressionBuilder,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RootOperationNode,
  type SqlBool,
  sql,
  ValueNode,
} from "kysely";
import { declareKind } from "./column-kinds";
import type { Aliased, TableName } from "./columns";
import { type Compiled, compileStatement, Parameter, valuesFor } from "./compile";
import type { Bound } from "./database";
import type { Tables } from "./generated/tables";

/** Where statements begin: `tables.selectFrom("User as u")`. It only builds them; it has no connection. */
export const tables = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** What Kysely builds. */
type Query<Row> = Compilable<Row> & { toOperationNode(): RootOperationNode | object };

/** The places of the values of a statement: `$("id")`. Times are recognised by the column they belong to. */
export type Params<Values> = {
  <Name extends keyof Values & string>(name: Name): ExpressionWrapper<never, never, Values[Name]>;
  /** A time that is neither compared with a column nor written to one. */
  time<Name extends keyof Values & string>(name: Name): ExpressionWrapper<never, never, Values[Name]>;
};

const given = Object.assign((name: string) => new ExpressionWrapper(ValueNode.create(new Parameter(name))), {
  time: (name: string) => new ExpressionWrapper(declareKind(ValueNode.create(new Parameter(name)), "time")),
});

/**
 * Returns a function that gives values to the statement. Its text is composed and compiled once, so it must depend on
 * nothing else; constants become part of the text.
 */
export function statement<Row>(compose: () => Query<Row>): () => Bound<Row>;
export function statement<Values, Row>(compose: ($: Params<Values>) => Query<Row>): (values: Values) => Bound<Row>;
export function statement<Row>(compose: ($: never) => Query<Row>): (values?: object) => Bound<Row> {
  let compiled: Compiled | undefined;
  return (values = {}) => {
    compiled ??= compileStatement(rootOf(compose(given as never)), "text");
    const { sql, slots, results } = compiled;
    return { sql, values: valuesFor(slots, values as Record<string, unknown>), results };
  };
}

/**
 * Like `statement`, with a list of values, for example of ids: the text depends on their number and is compiled once
 * for each.
 */
export function listStatement<Values, Row>(
  compose: ($: Params<Values>, items: Expression<string>[]) => Query<Row>,
): (values: Values, items: readonly string[]) => Bound<Row> {
  const byLength = new Map<number, (values: Values) => Bound<Row>>();
  return (values, items) => {
    const names = items.map((_, index) => `item${index}`);
    let found = byLength.get(items.length);
    if (!found) {
      found = statement<Values, Row>(($) =>
        compose(
          $,
          names.map((name) => $(name as never) as unknown as Expression<string>),
        ),
      );
      byLength.set(items.length, found);
    }
    return found({ ...values, ...Object.fromEntries(names.map((name, index) => [name, items[index]])) });
  };
}

/** Compiles a statement whose text depends on the call. All values become placeholders. */
export function bind<Row>(query: Query<Row>): Bound<Row> {
  const { sql, slots, results } = compileStatement(rootOf(query), "placeholders");
  return { sql, values: valuesFor(slots, {}), results };
}

const rootOf = (query: Query<unknown>) => query.toOperationNode() as RootOperationNode;

/** Whether a condition is true, as a column of the result; false where it is null. */
export const truth = (condition: Expression<SqlBool | null>) =>
  new ExpressionWrapper<never, never, boolean>(
    declareKind(sql`case when ${condition} then true else false end`.toOperationNode(), "boolean"),
  );

/** JSON that is computed. */
export const jsonOf = <Json>(expression: Expression<unknown>) =>
  new ExpressionWrapper<never, never, Json>(declareKind(expression.toOperationNode(), "json"));

/** A time in a statement for `bind` that is neither compared with a column nor written to one. */
export const time = <Time extends number | null>(at: Time) =>
  new ExpressionWrapper<never, never, Time>(declareKind(ValueNode.create(at), "time"));

/** Conditions and expressions on their own: `columnsIn<{ u: "User" }>()("u.state", "=", "active")`. */
export const columnsIn = <Aliases extends Record<string, TableName>>() =>
  expressionBuilder() as unknown as ExpressionBuilder<Aliased<Aliases>, keyof Aliases & string>;
