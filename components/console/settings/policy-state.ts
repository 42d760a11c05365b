// The state of a policy form: the values of the settings, as the API represents them, and which of them this level sets
// itself. The others are not sent, so that they keep following the level above.
import type { BodyOf, Declared } from "../../../shared/declared";
import type { Level } from "../parts/level";
import { POLICY_OPERATIONS, type Policy, type PolicyDeclaration, type PolicyField } from "./policy";

export type PolicyValue = string | boolean | readonly string[];

export interface PolicyState {
  values: Readonly<Record<string, PolicyValue>>;
  own: readonly string[];
  /** Whether the level has a policy, even an empty one. */
  exists: boolean;
}

export function policyStateOf(policy: Policy, level: Level): PolicyState {
  const { details: _, isDefault, ownSettings, ...values } = policy;
  return {
    values: values as Record<string, PolicyValue>,
    own: ownSettings,
    exists: level === "instance" || !isDefault,
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Sets a value; an inherited setting that returns to its inherited value stays inherited. */
export function withValue(now: PolicyState, saved: PolicyState, name: string, value: PolicyValue): PolicyState {
  const others = now.own.filter((own) => own !== name);
  const isAsInherited = !saved.own.includes(name) && isSame(saved.values[name], value);
  return { ...now, values: { ...now.values, [name]: value }, own: isAsInherited ? others : [...others, name] };
}

/**
 * Makes a setting inherit.
 * @param inherited the value of the level above
 */
export function withInherited(now: PolicyState, name: string, inherited: PolicyValue): PolicyState {
  return { ...now, values: { ...now.values, [name]: inherited }, own: now.own.filter((own) => own !== name) };
}

export interface SettingChange {
  field: PolicyField;
  before: PolicyValue;
  after: PolicyValue;
  /** Whether the setting is inherited after the change. */
  isInherited: boolean;
}

/** Returns the changes, in the order of the fields. */
export function changesOf(fields: readonly PolicyField[], saved: PolicyState, now: PolicyState): SettingChange[] {
  return fields.flatMap((field) => {
    const { name } = field;
    const [before, after] = [saved.values[name], now.values[name]];
    const isInherited = !now.own.includes(name);
    const isAsBefore = isSame(before, after) && saved.own.includes(name) === !isInherited;
    return isAsBefore || before === undefined || after === undefined ? [] : [{ field, before, after, isInherited }];
  });
}

/** Returns the key of the preset that has the given values. */
export function presetOf({ presets }: { presets?: Presets }, values: PolicyState["values"]): string | undefined {
  const levels = Object.entries(presets?.levels ?? {});
  return levels.find(([, sets]) => Object.entries(sets).every(([name, value]) => isSame(values[name], value)))?.[0];
}

type Presets = { readonly levels: Readonly<Record<string, Readonly<Record<string, string>>>> };

/** All of them are called alike; the server validates the body. */
type AnyChange = "UpdateCustomPolicy";

/** Returns the operation that changes a level from one state to another, and its body. */
export function saving(kind: PolicyDeclaration, level: Level, isThere: boolean, { own, values }: PolicyState) {
  const returns = level === "organization" && isThere && own.length === 0;
  const { add, change } = POLICY_OPERATIONS[level];
  const operation = returns ? POLICY_OPERATIONS.organization.reset : isThere ? change : add;
  const body = Object.fromEntries(own.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
  const at = { kind: kind.path };
  return { operation: operation as Declared<AnyChange>, at, body: body as BodyOf<AnyChange>, returns };
}
