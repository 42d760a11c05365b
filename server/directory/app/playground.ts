/** The console's playground, which signs in to an app as the app itself would. */
import type { Context } from "../../context";

/** Its redirect URI. It has to be registered like any other, so that only managers of the app can open the way to it. */
export const playgroundRedirectUri = ({ config }: Pick<Context, "config">): string =>
  `${config.baseUrl}/console/playground/callback`;
