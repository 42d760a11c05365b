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
  return tables
    .selectFrom("Organization as o")
    .select(["o.id", "o.name"])
    .where((eb) =>
      eb.or([
        eb("o.id", "in", roles.where("m.level", "=", "organization").select("m.levelId")),
        eb("o.id", "in", ofProjects.select("p.organizationId")),
      ]),
    )
    .orderBy("o.name")
    .orderBy("o.id")
    .limit($("limit"));
});

/**
 * Returns, by name, organizations in which the user has a role on the organization or one of its projects. Roles on the
 * instance do not count.
 */
export function listManagedOrganizations(db: Database, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return db.all(managed({ userId, limit }));
}
