// Organizations and domains as the management API returns them.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf } from "../../../shared/declared";

export type Organization = Schemas["Organization"];
export type Domain = Schemas["Domain"];
export type Challenge = NonNullable<Domain["challenge"]>;

/** The users who would be renamed if the domain were claimed. */
export type ClaimPreview = AnswerOf<"PreviewOrgDomainClaim">;
