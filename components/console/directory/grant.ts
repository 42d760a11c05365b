// The grant of a project's roles to a user, as the management API returns it.
import type { Schemas } from "../../../server/api/generated/operations";

export type UserGrant = Schemas["UserGrant"];
