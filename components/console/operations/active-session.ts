// A session as the management API returns it.
import type { Schemas } from "../../../server/api/generated/operations";

export type ActiveSession = Schemas["Session"];
