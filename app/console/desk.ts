// The person in front of a page of the console, read once per request. server/http/console/gate.ts has sent everybody
// else to sign in; whoever was signed out in the same moment goes there too.
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { type ConsolePage, type Desk, runningService } from "../../server/http/service";

export const currentDesk = cache(async (): Promise<Desk> => {
  const desk = await runningService().desk((await headers()).get("cookie"));
  return desk ?? redirect("/console/sign-in");
});

/** Whether he may open the page; the use cases behind it ask for themselves. */
export const mayOpen = ({ visitor }: Desk, page: ConsolePage): boolean => visitor.pages.includes(page);
