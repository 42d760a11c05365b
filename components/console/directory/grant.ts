// The roles of a project that somebody has, as the management API returns them.
import type { Schemas } from "../../../server/api/generated/operations";

export type UserGrant = Schemas["UserGrant"];
