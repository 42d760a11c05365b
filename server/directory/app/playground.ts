/** The console's playground, which signs in to an app in the same way as the app itself. */
import type { Context } from "../../context";

/**
 * Returns the playground's redirect URI. It must be registered like any other, so that only managers of the app can
 * enable it.
 */
export const playgroundRedirectUri = ({ config }: Pick<Context, "config">): string =>
  `${config.baseUrl}/console/playground/callback`;
