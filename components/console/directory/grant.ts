// Which roles of a project somebody has, as the management API shows it.

export interface UserGrant {
  id: string;
  state: "USER_GRANT_STATE_ACTIVE" | "USER_GRANT_STATE_INACTIVE";
  userId: string;
  projectId: string;
  projectName: string;
  roleKeys: readonly string[];
}

export interface ProjectRole {
  key: string;
  displayName: string;
}
