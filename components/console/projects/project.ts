// Projects as the management API returns them.
import type { Schemas } from "../../../server/api/generated/operations";

export type Project = Schemas["Project"];
export type ProjectRole = Schemas["ProjectRole"];
export type GrantedProject = Schemas["GrantedProject"];
