// Projects as the management API returns them.

export interface Project {
  id: string;
  name: string;
  state: "PROJECT_STATE_ACTIVE" | "PROJECT_STATE_INACTIVE";
  projectRoleAssertion?: boolean;
  projectRoleCheck?: boolean;
  hasProjectCheck?: boolean;
  details: { creationDate: string; changeDate: string };
}

export interface ProjectRole {
  key: string;
  displayName: string;
  group?: string;
}

export const projectPath = (projectId: string): string => `/management/v1/projects/${encodeURIComponent(projectId)}`;
