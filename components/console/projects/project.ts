// Projects as the management API returns them.

export interface Project {
  id: string;
  name: string;
  state: "PROJECT_STATE_ACTIVE" | "PROJECT_STATE_INACTIVE";
  projectRoleAssertion?: boolean;
  projectRoleCheck?: boolean;
  hasProjectCheck?: boolean;
  scopes: ProjectScope[];
  rolesClaim?: string;
  details: { creationDate: string; changeDate: string };
}

export interface ProjectScope {
  name: string;
  /** By BCP 47 tag. */
  descriptions: Record<string, string>;
}

export interface ProjectRole {
  key: string;
  displayName: string;
  group?: string;
}

export const projectPath = (projectId: string): string => `/management/v1/projects/${encodeURIComponent(projectId)}`;
