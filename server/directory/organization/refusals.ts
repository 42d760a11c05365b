/** Refusals about organizations that several files share. */
import { notFound } from "../../protocol/api-error";

export const noSuchOrganization = () => notFound("organization.not_found", "There is no such organization.");
