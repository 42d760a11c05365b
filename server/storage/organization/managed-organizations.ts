/** The organizations that a user manages, for choosing one in the console. */
import type { Database } from "../database";

export interface ManagedOrganization {
  id: string;
  name: string;
}

/**
 * Returns, by name, organizations in which the user has a role on the organization or one of its projects. Roles on the
 * instance do not count.
 */
export function listManagedOrganizations(db: Database, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return db.all<ManagedOrganization>(
    `SELECT o."id", o."name" FROM "Organization" o
      WHERE o."id" IN (SELECT m."levelId" FROM "Membership" m WHERE m."userId" = $1 AND m."level" = 'organization')
         OR o."id" IN (SELECT p."organizationId" FROM "Membership" m JOIN "Project" p ON p."id" = m."levelId"
                        WHERE m."userId" = $1 AND m."level" = 'project')
      ORDER BY o."name", o."id" LIMIT $2`,
    [userId, limit],
  );
}
