/**
 * JSON as protocol buffers have it: empty strings, zeros, false and empty lists are left out, numbers of 64 bits are
 * strings. Clients rely on it and read a missing isDefault as false (rule API-6).
 */

/** The dates in the details of a text that no level has ever set (texts/level/level-text.ts). */
const NEVER = new Date(0).toISOString();

/**
 * Leaves out default values at every depth; objects stay, even if empty.
 * @returns what the schema of the answer says, which the caller names: members that may have a default are optional in
 * it
 */
export function withoutDefaults<Answer>(value: unknown): Answer {
  return bare(value) as Answer;
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  if ("changeDate" in value && value.changeDate === NEVER && "resourceOwner" in value) {
    return { resourceOwner: value.resourceOwner }; // of what is read: nothing has been recorded, so there are no times
  }
  const entries = Object.entries(value).filter(([, member]) => !isDefault(member));
  return Object.fromEntries(entries.map(([name, member]) => [name, bare(member)]));
}

function isDefault(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}
