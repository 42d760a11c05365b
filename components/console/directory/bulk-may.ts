// The bulk actions that the visitor's permissions allow.
import type { Permission } from "../../../server/directory/member/permissions";

export interface BulkMay {
  write: boolean;
  delete: boolean;
  grant: boolean;
}

/** Returns undefined if no action is allowed, so that no users can be selected. */
export function bulkMay(permissions: ReadonlySet<Permission>): BulkMay | undefined {
  const may = {
    write: permissions.has("user.write"),
    delete: permissions.has("user.delete"),
    grant: permissions.has("user.grant.write"),
  };
  return may.write || may.delete || may.grant ? may : undefined;
}
