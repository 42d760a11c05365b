/**
 * Refusals that several nouns share: what there is none of looks the same as what belongs to somebody else (attack:
 * probing for other organizations).
 */
import { notFound } from "../protocol/api-error";

export const noSuchOrganization = () =>
  notFound("organization.not_found", "This organization does not exist. Check its ID.");
export const noSuchProject = () => notFound("project.not_found", "This project does not exist. Check its ID.");
export const noSuchUser = () => notFound("user.not_found", "This user does not exist. Check the ID.");
