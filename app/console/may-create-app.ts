// Whether the visitor may add an app or a machine anywhere in the organization: to all its projects, to one of them, or
// by creating a project.
import type { CurrentOrganization } from "../../server/service/service";

export const mayCreateApp = ({ permissions, inProjects }: CurrentOrganization): boolean =>
  inProjects.has("project.app.write") ||
  (["project.app.write", "project.create", "user.write"] as const).some((name) => permissions.has(name));
