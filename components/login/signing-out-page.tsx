// Loads pages of applications in frames, in which they clear their sessions (OpenID Connect Front-Channel Logout 1.0
// §4), and then goes on. Without the script, the browser goes on by the header `refresh`, or the user by the link.
import type { LoginTranslator } from "../../messages/login";
import { linkTarget } from "../ui/links";

/** Goes on when all frames are loaded, or after five seconds. The event `load` waits for the frames. */
export const SIGNING_OUT_SCRIPT = `const go = () => location.replace(document.getElementById("next").href);
addEventListener("load", go);
setTimeout(go, 5000);`;

export interface SigningOutProps {
  /** Where the browser goes afterwards: the validated redirect URI, or a page of the service. */
  next: string;
  /** Validated addresses of applications. */
  frames: readonly string[];
}

/** The sandbox keeps an application from leading the whole page elsewhere; its cookies and scripts work. */
export function SigningOutPage({ t, next, frames }: SigningOutProps & { t: LoginTranslator }) {
  return (
    <>
      <h1>{t("loggedOut.title")}</h1>
      <p className="aside">
        <a id="next" href={linkTarget(next)}>
          {t("common.continue")}
        </a>
      </p>
      {frames.map((src) => (
        <iframe key={src} src={src} title={new URL(src).host} sandbox="allow-scripts allow-same-origin" hidden />
      ))}
    </>
  );
}
