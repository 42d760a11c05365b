// The facts about a page that the frame shows.
import { type FrameFacts, TellFrame } from "../../components/console/shell/frame-facts";
import type { Viewer } from "../../server/service/service";
import { actsFor } from "../../shared/acts";
import { currentViewer } from "./viewer";

export function frameFacts({ organization, pages, permissions }: Viewer): FrameFacts {
  const held = { organization: organization?.permissions ?? new Set<never>(), instance: permissions };
  return {
    organization: organization && { id: organization.id, name: organization.name },
    pages,
    acts: actsFor(pages, held),
  };
}

/** A part of every page: the frame stays while pages change, and takes over the facts of the new one. */
export async function TellFacts() {
  return <TellFrame {...frameFacts(await currentViewer())} />;
}
