// Names the application below the title of each step of a sign-in, so that people know what they are signing in to,
// however many steps it takes. Without an application nothing is shown.
import type { LoginTranslator } from "../../messages/login";
import { bdi, plainName } from "../ui/user-text";

export function ToApp({ t, appName }: { t: LoginTranslator; appName?: string }) {
  if (!appName) return null;
  return <p className="lead">{t.rich("signIn.toApp", { ...bdi, app: plainName(appName) })}</p>;
}
