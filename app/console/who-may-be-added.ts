import type { CurrentOrganization, Viewer } from "../../server/service/service";

/** Where the visitor finds new managers of the organization: a user of another one must be theirs to read. */
export function whoMayBeAdded({ permissions }: Viewer, organization: CurrentOrganization) {
  if (permissions.has("user.read")) return "organizationFirst";
  return organization.permissions.has("user.read") ? "organization" : undefined;
}
