// The roles of a project that somebody has, as the management API returns them.

export interface UserGrant {
  id: string;
  state: "USER_GRANT_STATE_ACTIVE" | "USER_GRANT_STATE_INACTIVE";
  userId: string;
  /** The login name. */
  userName: string;
  displayName?: string;
  projectId: string;
  projectName: string;
  roleKeys: readonly string[];
}

export interface ProjectRole {
  key: string;
  displayName: string;
}
