/**
 * The frame of every change within a project: it is looked up in the organization the caller may act in, so that one of
 * another organization is as unknown as one that is not there, and held until the change is written.
 */
import type { Context } from "../../context";
import { type ApiError, notFound } from "../../protocol/api-error";
import type { ProjectRow } from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { lockProject } from "../../storage/projects";
import { changeDirectory } from "../change";

export interface ProjectPlace {
  organizationId: string;
  projectId: string;
}

/** Milliseconds; a role is taken from everybody who has it. */
const LONGEST = 60_000;

export function changeInProject<T>(
  ctx: Context,
  { organizationId, projectId }: ProjectPlace,
  work: (tx: Transaction, project: ProjectRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  return changeDirectory(
    ctx,
    async (tx) => {
      const project = await lockProject(ctx.db, tx, organizationId, projectId);
      return project ? work(tx, project) : noSuchProject();
    },
    { timeout: LONGEST },
  );
}

export const noSuchProject = () => notFound("project.not_found", "There is no such project.");
