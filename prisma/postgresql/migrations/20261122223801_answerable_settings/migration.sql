-- AlterTable
ALTER TABLE "MailSettings" ADD COLUMN     "changedBy" TEXT;

-- AlterTable
ALTER TABLE "MessageText" ADD COLUMN     "changedBy" TEXT;

-- Who set what is there already, from the audit trail. Of several who wrote one text, the operator counts last: the
-- bootstrap file changes single fields of a text that somebody else wrote.
UPDATE "MailSettings" SET "changedBy" = (
  SELECT e."actor" FROM "Event" e
   WHERE e."aggregateType" = 'organization' AND e."aggregateId" = "MailSettings"."organizationId"
     AND e."type" = 'organization.mail_settings.set'
   ORDER BY e."sequence" DESC LIMIT 1);
UPDATE "MessageText" SET "changedBy" = (
  SELECT e."actor" FROM "Event" e
   WHERE e."aggregateType" = 'message_text' AND e."type" = 'message_text.set'
     AND e."aggregateId" = "MessageText"."ownerId" || '/' || "MessageText"."type" || '/' || "MessageText"."language"
   ORDER BY CASE WHEN e."actor" IN ('bootstrap', 'operator', 'system') THEN 1 ELSE 0 END, e."sequence" DESC LIMIT 1);

-- A user may once have had such an id.
UPDATE "MailSettings" SET "changedBy" = ':operator'
 WHERE "changedBy" IN ('bootstrap', 'operator', 'system')
   AND NOT EXISTS (SELECT 1 FROM "Aggregate" a WHERE a."type" = 'user' AND a."id" = "MailSettings"."changedBy");
UPDATE "MessageText" SET "changedBy" = ':operator'
 WHERE "changedBy" IN ('bootstrap', 'operator', 'system')
   AND NOT EXISTS (SELECT 1 FROM "Aggregate" a WHERE a."type" = 'user' AND a."id" = "MessageText"."changedBy");
