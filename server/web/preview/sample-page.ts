/** A page as editors of its texts see it: in one of its states, with fictional users and applications. */
import type { LoginMessageKey } from "../../../messages/login";
import type { PageFrame, PageResponse } from "../pages/render";

export interface SamplePage {
  /** The identifier in addresses: `sign-in`, `sign-in.refused`. */
  id: string;
  /** The text that names the page. */
  title: LoginMessageKey;
  /** The text that only this state of the page shows. */
  state?: LoginMessageKey;
  render(frame: PageFrame, values: SampleValues): PageResponse;
}

/** What users, administrators and applications choose. */
export interface SampleValues {
  organizationName: string | undefined;
  appName: string;
  displayName: string;
  givenName: string;
  familyName: string;
  loginName: string;
  email: string;
  phone: string;
  /** The address that mails come from. */
  sender: string;
  /** The names of an authenticator app and of two passkeys. */
  factors: { app: string; passkey: string; securityKey: string };
}

export type Render = SamplePage["render"];

/** Returns a page in all its states; the key of a state is the last segment of its id. */
export function statesOf(
  id: string,
  title: LoginMessageKey,
  states: Readonly<Record<string, readonly [state: LoginMessageKey | undefined, render: Render]>>,
): SamplePage[] {
  return Object.entries(states).map(([name, [state, render]]) => {
    return { id: name === "" ? id : `${id}.${name}`, title, state, render };
  });
}

/** The target of forms and links, until the preview removes their addresses. */
export const NOWHERE = "/";
/** A fixed time, so that the same page has the same bytes: 2 January 2026. */
export const SAMPLE_TIME = Date.UTC(2026, 0, 2, 9, 30);
export const SAMPLE_VALUES: Omit<SampleValues, "organizationName"> = {
  appName: "Analytical Engine",
  displayName: "Ada Lovelace",
  givenName: "Ada",
  familyName: "Lovelace",
  loginName: "ada@example.com",
  email: "ada@example.com",
  phone: "+44 20 7946 0018",
  sender: "noreply@example.com",
  factors: { app: "Phone", passkey: "Laptop", securityKey: "Key" },
};
