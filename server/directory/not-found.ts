/**
 * Refusals that several nouns share: what there is none of looks the same as what belongs to somebody else (attack:
 * probing for other organizations).
 */
import { notFound } from "../protocol/api-error";

export const noSuchOrganization = () => notFound("organization.not_found", "There is no such organization.");
export const noSuchProject = () => notFound("project.not_found", "There is no such project.");
export const noSuchUser = () => notFound("user.not_found", "There is no such user.");
