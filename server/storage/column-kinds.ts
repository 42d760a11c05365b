/** Finds out which values and results of a statement are times, booleans and JSON, from the columns they belong to. */
import type { OperationNode } from "kysely";
import { COLUMNS, type ColumnKind } from "./generated/tables";

/** The kinds of expressions that are no columns. */
const declared = new WeakMap<OperationNode, ColumnKind>();

/** Declares the kind of an expression's result or of a value. */
export function declareKind<Node extends OperationNode>(node: Node, kind: ColumnKind): Node {
  declared.set(node, kind);
  return node;
}

/** The members of Kysely's nodes that are read here. */
interface AnyNode extends OperationNode {
  readonly [member: string]: unknown;
}

const COMPARISONS = /^(?:=|==|!=|<>|<=?|>=?|in|not in|is|is not|is distinct from|is not distinct from|between)$/;
/** Functions whose result has the kind of their first argument. */
const SAME_KIND = /^(?:coalesce|max|min|nullif)$/i;

export interface Kinds {
  /** The kind of a value's node; of a list of values, one for each. */
  ofValue(node: OperationNode, index?: number): ColumnKind;
  /** The kinds of the columns of the result that are not plain, by name. */
  readonly results: Readonly<Record<string, ColumnKind>>;
}

export function findKinds(root: OperationNode): Kinds {
  const nodes = [...nodesOf(root)];
  const aliases = tablesByAlias(nodes);
  const values = new Map<OperationNode, ColumnKind | ColumnKind[]>();

  const ofColumn = (column: string, table?: string): ColumnKind => {
    const known = table === undefined ? [...new Set([...aliases.values()].flat())] : (aliases.get(table) ?? []);
    const candidates = known.some((name) => column in (COLUMNS[name] ?? {})) ? known : Object.keys(COLUMNS);
    const kinds = new Set(candidates.flatMap((name) => COLUMNS[name]?.[column] ?? []));
    if (kinds.size > 1) throw new Error(`column ${column} has different types in several tables: name its table`);
    return [...kinds][0] ?? "plain";
  };

  const kindOf = (node: AnyNode): ColumnKind => {
    const said = declared.get(node);
    if (said) return said;
    switch (node.kind) {
      case "ColumnNode":
        return ofColumn(nameOf(node.column));
      case "ReferenceNode": {
        const column = node.column as AnyNode;
        if (column.kind !== "ColumnNode") return "plain";
        return ofColumn(nameOf(column.column), node.table ? tableName(node.table as AnyNode) : undefined);
      }
      case "AliasNode":
      case "SelectionNode":
      case "ParensNode":
        return kindOf((node.node ?? node.selection) as AnyNode);
      case "FunctionNode":
      case "AggregateFunctionNode": {
        return SAME_KIND.test(node.func as string)
          ? kindOf(listed(node, "arguments", "aggregated")[0] as AnyNode)
          : "plain";
      }
      case "SelectQueryNode":
        return node.selections ? kindOf(listed(node, "selections")[0] as AnyNode) : "plain";
      default:
        return "plain";
    }
  };

  const give = (node: AnyNode, kind: ColumnKind): void => {
    if (node.kind === "ValueNode" || node.kind === "PrimitiveValueListNode") values.set(node, kind);
    else if (node.kind === "ValueListNode") for (const each of listed(node, "values")) give(each, kind);
    else if (node.kind === "ParensNode") give(node.node as AnyNode, kind);
    else if (node.kind === "AndNode") for (const side of ["left", "right"]) give(node[side] as AnyNode, kind);
  };

  const compare = (left: AnyNode, right: AnyNode): void => {
    if (left.kind === "TupleNode" && right.kind === "TupleNode") {
      const others = listed(right, "values");
      listed(left, "values").forEach((each, index) => void compare(each, others[index] as AnyNode));
      return;
    }
    if (kindOf(left) === "time") give(right, "time");
    else if (kindOf(right) === "time") give(left, "time");
  };

  for (const node of nodes) {
    if (node.kind === "ValueNode") {
      const said = declared.get(node);
      if (said) values.set(node, said);
    } else if (node.kind === "BinaryOperationNode") {
      const operator = (node.operator as AnyNode).operator;
      if (typeof operator === "string" && COMPARISONS.test(operator)) {
        compare(node.leftOperand as AnyNode, node.rightOperand as AnyNode);
      }
    } else if (node.kind === "ColumnUpdateNode") {
      give(node.value as AnyNode, kindOf(node.column as AnyNode));
    } else if (node.kind === "FunctionNode" && SAME_KIND.test(node.func as string)) {
      const parts = listed(node, "arguments");
      const kind = parts.map(kindOf).find((each) => each !== "plain");
      if (kind) for (const each of parts) give(each, kind);
    } else if (node.kind === "InsertQueryNode" && node.columns) {
      const table = tableName(node.into as AnyNode);
      const kinds = listed(node, "columns").map(({ column }) => ofColumn(nameOf(column), table));
      for (const row of rowsOf(node.values as AnyNode)) {
        if (row.kind === "PrimitiveValueListNode") values.set(row, kinds);
        else
          listed(row, "values", "selections").forEach(
            (each, index) => void give(unwrapped(each), kinds[index] ?? "plain"),
          );
      }
    }
  }

  const results: Record<string, ColumnKind> = {};
  const selected = (root as AnyNode).returning ?? root;
  for (const { selection } of listed(selected as AnyNode, "selections") as unknown as { selection: AnyNode }[]) {
    const name = resultName(selection);
    const kind = name === undefined ? "plain" : kindOf(selection);
    if (name === undefined) Object.assign(results, allOf(selection, aliases));
    else if (kind !== "plain") results[name] = kind;
  }

  return {
    ofValue(node, index = 0) {
      const kind = values.get(node);
      return (Array.isArray(kind) ? kind[index] : kind) ?? "plain";
    },
    results,
  };
}

function* nodesOf(node: unknown): Generator<AnyNode> {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) for (const each of node) yield* nodesOf(each);
  else if (typeof (node as AnyNode).kind === "string") {
    yield node as AnyNode;
    if ((node as AnyNode).kind !== "ValueNode") for (const member of Object.values(node)) yield* nodesOf(member);
  }
}

/** The tables that a statement names, by their alias or name. Several subqueries may use the same alias. */
function tablesByAlias(nodes: readonly AnyNode[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (alias: string, table: string) => {
    if (table in COLUMNS) found.set(alias, [...(found.get(alias) ?? []), table]);
  };
  for (const node of nodes) {
    if (node.kind === "TableNode") add(tableName(node), tableName(node));
    if (node.kind === "InsertQueryNode") add("excluded", tableName(node.into as AnyNode));
    if (node.kind !== "AliasNode" || (node.node as AnyNode).kind !== "TableNode") continue;
    add(nameOf(node.alias), tableName(node.node as AnyNode));
  }
  return found;
}

/** The columns of `alias.*` that are not plain; for the alias of a subquery, those of all tables of the statement. */
function allOf(selection: AnyNode, aliases: Map<string, string[]>): Record<string, ColumnKind> {
  const table = selection.table ? tableName(selection.table as AnyNode) : "";
  const tables = aliases.get(table) ?? [...aliases.values()].flat();
  const columns = tables.flatMap((name) => Object.entries(COLUMNS[name] ?? {}));
  return Object.fromEntries(columns.filter(([, kind]) => kind !== "plain"));
}

/** The name of a result; undefined for `*`. */
function resultName(node: AnyNode): string | undefined {
  if (node.kind === "AliasNode") return nameOf(node.alias);
  if (node.kind === "SelectAllNode") return undefined;
  if (node.kind === "ColumnNode") return nameOf(node.column);
  if (node.kind === "ReferenceNode") return resultName(node.column as AnyNode);
  throw new Error(`a result without a name: ${node.kind}`);
}

const nameOf = (identifier: unknown): string => (identifier as { name: string }).name;

const tableName = ({ table }: AnyNode): string => nameOf((table as AnyNode).identifier);

/** The first of these members that is a list of nodes. */
function listed(node: AnyNode, ...members: string[]): readonly AnyNode[] {
  return (members.map((member) => node[member]).find(Array.isArray) as AnyNode[] | undefined) ?? [];
}

/** The rows of an insert: those of VALUES, or the SELECT. */
const rowsOf = (values: AnyNode): readonly AnyNode[] =>
  values.kind === "ValuesNode" ? listed(values, "values") : [values];

function unwrapped(node: AnyNode): AnyNode {
  return node.kind === "SelectionNode" || node.kind === "AliasNode"
    ? unwrapped((node.selection ?? node.node) as AnyNode)
    : node;
}
