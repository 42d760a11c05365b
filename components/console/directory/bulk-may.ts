// What may be done with several people, by the visitor's permissions there.
import type { Permission } from "../../../server/directory/member/permissions";

export interface BulkMay {
  write: boolean;
  delete: boolean;
  grant: boolean;
}

/** Undefined: nothing, so nobody is selected. */
export function bulkMay(permissions: ReadonlySet<Permission>): BulkMay | undefined {
  const may = {
    write: permissions.has("user.write"),
    delete: permissions.has("user.delete"),
    grant: permissions.has("user.grant.write"),
  };
  return may.write || may.delete || may.grant ? may : undefined;
}
