/** A page as editors of its words see it: in one of its states, with people and applications that do not exist. */
import type { LoginMessageKey } from "../../../messages/login";
import type { PageFrame, PageResponse } from "../pages/render";

export interface SamplePage {
  /** In addresses: `sign-in`, `sign-in.refused`. */
  id: string;
  /** The word that names the page. */
  title: LoginMessageKey;
  /** The word that only this state of it shows. */
  state?: LoginMessageKey;
  render(frame: PageFrame, organizationName: string | undefined): PageResponse;
}

export type Render = SamplePage["render"];

/** A page in the states it has; the key of a state is the last part of its id. */
export function statesOf(
  id: string,
  title: LoginMessageKey,
  states: Readonly<Record<string, readonly [state: LoginMessageKey | undefined, render: Render]>>,
): SamplePage[] {
  return Object.entries(states).map(([name, [state, render]]) => {
    return { id: name === "" ? id : `${id}.${name}`, title, state, render };
  });
}

/** Where forms and links lead, until the preview takes their addresses out. */
export const NOWHERE = "/";
/** A fixed moment, so that the same page is the same bytes: 2 January 2026. */
export const SAMPLE_TIME = Date.UTC(2026, 0, 2, 9, 30);
export const SAMPLE_PERSON = {
  displayName: "Ada Lovelace",
  loginName: "ada@example.com",
  email: "ada@example.com",
  phone: "+44 20 7946 0018",
} as const;
export const SAMPLE_APP = "Analytical Engine";
