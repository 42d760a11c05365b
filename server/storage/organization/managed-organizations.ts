/** The organizations that a user manages, for choosing one in the console. */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

export interface ManagedOrganization {
  id: string;
  name: string;
}

const managed = statement(($: Params<{ userId: string; limit: number }>) => {
  const roles = tables.selectFrom("Membership as m").where("m.userId", "=", $("userId"));
  const ofProjects = roles.innerJoin("Project as p", "p.id", "m.levelId").where("m.level", "=", "project");
  const ofGrants = roles
    .innerJoin("ProjectGrant as pg", "pg.id", "m.levelId")
    .where("m.level", "=", "project_grant")
    .select("pg.grantedOrganizationId");
  return tables
    .selectFrom("Organization as o")
    .select(["o.id", "o.name"])
    .where((eb) =>
      eb.or([
        eb("o.id", "in", roles.where("m.level", "=", "organization").select("m.levelId")),
        eb("o.id", "in", ofProjects.select("p.organizationId")),
        eb("o.id", "in", ofGrants),
      ]),
    )
    .orderBy("o.name")
    .orderBy("o.id")
    .limit($("limit"));
});

/**
 * Returns, by name, organizations in which the user has a role on the organization, one of its projects, or the grant
 * of a project to it. Roles on the instance do not count.
 */
export function listManagedOrganizations(db: Database, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return db.all(managed({ userId, limit }));
}
