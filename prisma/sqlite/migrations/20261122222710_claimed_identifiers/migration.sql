-- AlterTable
ALTER TABLE "User" ADD COLUMN "isEmailTrusted" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "ClaimedIdentifier" (
    "space" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("space", "key")
);

-- CreateIndex
CREATE INDEX "User_isEmailTrusted_emailKey_idx" ON "User"("isEmailTrusted", "emailKey");

-- What is taken already: of living objects first, then of removed ones, the oldest first. Where two have collided before
-- this rule, both go on, and the first of them is whose it is.
INSERT INTO "ClaimedIdentifier" ("space", "key", "kind", "organizationId", "createdAt")
SELECT "space", "key", "kind", "organizationId", "createdAt" FROM (
  SELECT 'client' AS "space", lower(a."clientId") AS "key", 'app' AS "kind", p."organizationId", a."createdAt", 0 AS "age"
    FROM "App" a JOIN "Project" p ON p."id" = a."projectId"
  UNION ALL SELECT 'client', lower("id"), 'project', "organizationId", "createdAt", 0 FROM "Project"
  UNION ALL SELECT 'client', "userNameKey", 'machine', "organizationId", "createdAt", 0 FROM "User" WHERE "kind" = 'machine'
  UNION ALL SELECT 'subject', lower(a."clientId"), 'app', p."organizationId", a."createdAt", 0
    FROM "App" a JOIN "Project" p ON p."id" = a."projectId"
  UNION ALL SELECT s."space", lower(json_extract(e."payload", '$.clientId')), 'app', e."resourceOwner", e."createdAt", 1
    FROM "Event" e CROSS JOIN (SELECT 'client' AS "space" UNION ALL SELECT 'subject') AS s
   WHERE e."type" IN ('app.added', 'app.removed') AND json_extract(e."payload", '$.clientId') IS NOT NULL
  UNION ALL SELECT 'client', lower("id"), 'project', "resourceOwner", "createdAt", 1 FROM "Aggregate" WHERE "type" = 'project'
  UNION ALL SELECT 'client', lower(json_extract("payload", '$.userName')), 'machine', "resourceOwner", "createdAt", 1
    FROM "Event" WHERE "type" = 'user.machine.added' AND json_extract("payload", '$.userName') IS NOT NULL
) AS "known" WHERE true ORDER BY "age", "createdAt", "kind"
ON CONFLICT DO NOTHING;

-- The owner of an object is the organization that has it now, also where an older one of the same id belonged to another
-- organization. What happened since the new one was added is in the trail of its owner.
UPDATE "Event" SET "resourceOwner" = u."organizationId" FROM "User" u
 WHERE "Event"."aggregateType" = 'user' AND "Event"."aggregateId" = u."id" AND "Event"."resourceOwner" <> u."organizationId"
   AND "Event"."sequence" >= (SELECT MAX(r."sequence") FROM "Event" r
     WHERE r."aggregateType" = 'user' AND r."aggregateId" = u."id" AND r."type" IN ('user.added', 'user.machine.added'));
UPDATE "Aggregate" SET "resourceOwner" = u."organizationId" FROM "User" u
 WHERE "Aggregate"."type" = 'user' AND "Aggregate"."id" = u."id" AND "Aggregate"."resourceOwner" <> u."organizationId";
UPDATE "Aggregate" SET "resourceOwner" = p."organizationId" FROM "Project" p
 WHERE "Aggregate"."type" = 'project' AND "Aggregate"."id" = p."id" AND "Aggregate"."resourceOwner" <> p."organizationId";
UPDATE "Aggregate" SET "resourceOwner" = p."organizationId" FROM "App" a JOIN "Project" p ON p."id" = a."projectId"
 WHERE "Aggregate"."type" = 'app' AND "Aggregate"."id" = a."id" AND "Aggregate"."resourceOwner" <> p."organizationId";

-- Trusted are addresses that their owner has confirmed by a mailed code, or that the operator or a manager of the
-- instance has entered. All others are merely asserted by an organization. The last change of the address decides.
UPDATE "User" SET "isEmailTrusted" = true
 WHERE "isEmailVerified" AND EXISTS (SELECT 1 FROM "Event" e
   WHERE e."aggregateType" = 'user' AND e."aggregateId" = "User"."id" AND e."resourceOwner" = "User"."organizationId"
     AND ((e."type" = 'user.added' AND json_extract(e."payload", '$.email') = "User"."email"
           AND json_extract(e."payload", '$.isEmailVerified') = true)
       OR (e."type" = 'user.changed' AND (json_extract(e."payload", '$.isEmailVerified.to') = true
           OR json_extract(e."payload", '$.email.to') = "User"."email")))
     AND NOT EXISTS (SELECT 1 FROM "Event" l
       WHERE l."aggregateType" = 'user' AND l."aggregateId" = "User"."id" AND l."sequence" > e."sequence"
         AND l."type" = 'user.changed' AND (json_extract(l."payload", '$.email') IS NOT NULL OR json_extract(l."payload", '$.isEmailVerified') IS NOT NULL))
     AND (e."actor" IN ('bootstrap', 'operator', 'system')
       OR EXISTS (SELECT 1 FROM "Membership" m WHERE m."userId" = e."actor" AND m."level" = 'instance')
       OR (e."actor" = "User"."id" AND EXISTS (SELECT 1 FROM "Event" r
         WHERE r."aggregateType" = 'user' AND r."aggregateId" = "User"."id"
           AND r."type" IN ('user.registration.requested', 'user.email.verification_requested',
                            'user.initialization_requested', 'user.invited')
           AND json_extract(r."payload", '$.email') = "User"."email"))));
