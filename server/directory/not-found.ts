/**
 * Errors that several resources share. A missing object gives the same error as one that belongs to another
 * organization (attack: probing for other organizations).
 */
import { notFound } from "../protocol/api-error";

export const noSuchOrganization = () =>
  notFound("organization.not_found", "This organization does not exist. Check its ID.");
export const noSuchProject = () => notFound("project.not_found", "This project does not exist. Check its ID.");
export const noSuchUser = () => notFound("user.not_found", "This user does not exist. Check the ID.");

export const noSuchProjectGrant = () =>
  notFound("project_grant.not_found", "This grant of the project does not exist. Check the IDs.");
