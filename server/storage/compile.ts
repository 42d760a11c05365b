/** Compiles statements to portable SQL with `$1`-style placeholders, and converts values and rows. */
import { PostgresQueryCompiler, type PrimitiveValueListNode, type RootOperationNode, type ValueNode } from "kysely";
import { findKinds, type Kinds } from "./column-kinds";
import type { Value } from "./database";
import type { ColumnKind } from "./generated/tables";

/** A value that is given later, by its name. */
export class Parameter {
  constructor(readonly name: string) {}
}

/** A placeholder. */
interface Slot {
  /** The value, or the parameter. */
  readonly content: unknown;
  readonly kind: ColumnKind;
}

export interface Compiled {
  readonly sql: string;
  readonly slots: readonly Slot[];
  readonly results: Kinds["results"];
}

/**
 * Compiles a statement.
 * @param constants what becomes of values that are no parameters: part of the text, or placeholders
 */
export function compileStatement(node: RootOperationNode, constants: "text" | "placeholders"): Compiled {
  const kinds = findKinds(node);
  const compiler = new PortableCompiler(kinds, constants === "text");
  const { sql } = compiler.compileQuery(node, { queryId: "" });
  return { sql, slots: compiler.slots, results: kinds.results };
}

class PortableCompiler extends PostgresQueryCompiler {
  readonly slots: Slot[] = [];

  constructor(
    private readonly kinds: Kinds,
    private readonly constantsAreText: boolean,
  ) {
    super();
  }

  protected override visitValue(node: ValueNode): void {
    if (node.immediate) this.appendImmediateValue(node.value);
    else this.put(node.value, this.kinds.ofValue(node));
  }

  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    this.append("(");
    node.values.forEach((value, index) => {
      if (index > 0) this.append(", ");
      this.put(value, this.kinds.ofValue(node, index));
    });
    this.append(")");
  }

  /** Text that both databases read alike: a boolean that is tested for is no literal in an index. */
  private put(content: unknown, kind: ColumnKind): void {
    const isConstant =
      this.constantsAreText && !(content instanceof Parameter) && (kind === "plain" || kind === "boolean");
    if (isConstant) this.appendImmediateValue(content);
    else this.append(`$${this.place({ content, kind })}`);
  }

  /** Returns the number of the placeholder. A value that is given once and used twice has one. */
  private place(slot: Slot): number {
    const { content, kind } = slot;
    if (content instanceof Parameter) {
      const isSame = (other: Slot) =>
        other.content instanceof Parameter && other.content.name === content.name && other.kind === kind;
      const index = this.slots.findIndex(isSame);
      if (index >= 0) return index + 1;
    }
    return this.slots.push(slot);
  }
}

/** Returns the values of the placeholders. */
export function valuesFor(slots: readonly Slot[], given: Readonly<Record<string, unknown>>): Value[] {
  const values = new Array<Value>(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const { content, kind } = slots[i] as Slot;
    values[i] = toStored(content instanceof Parameter ? given[content.name] : content, kind);
  }
  return values;
}

/** Converts a value to one that both drivers take: times to Date, JSON to text. */
export function toStored(value: unknown, kind: ColumnKind | undefined): Value {
  if (kind === "time" && typeof value === "number") return new Date(value);
  if (kind === "json" && typeof value === "object" && value !== null) return JSON.stringify(value);
  return value as Value;
}

/** Converts rows of SQLite, which has neither booleans nor JSON, in place. */
export function fromSqlite(row: Record<string, unknown>, results: Compiled["results"]): void {
  for (const name in results) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    if (results[name] === "boolean") row[name] = value !== 0 && value !== false;
    else if (results[name] === "json" && typeof value === "string") row[name] = JSON.parse(value);
  }
}

/** Converts rows as Prisma returns them, in place. */
export function fromPrisma(row: Record<string, unknown>, results: Compiled["results"]): void {
  for (const name in row) {
    const value = row[name];
    if (value instanceof Date) row[name] = value.getTime();
    else if (typeof value === "bigint") row[name] = Number(value);
  }
  fromSqlite(row, results);
}
