/** How the levels of a policy override each other. */
import { builtIn } from "./built-in";
import type { LabelSettings, PolicyKind, PolicySettings } from "./settings";

/** Returns the built-in values overridden by the levels, from the instance downwards. */
export function resolvePolicy<Kind extends PolicyKind>(
  kind: Kind,
  said: readonly (Record<string, unknown> | undefined)[],
): PolicySettings<Kind> {
  const adapt = ADAPTED[kind];
  const levels = adapt ? said.map((level) => level && adapt(level)) : said;
  const settings = Object.assign({}, builtIn[kind], ...levels) as PolicySettings<Kind>;
  return kind === "texts" ? { ...settings, ...withoutLoosening(levels) } : settings;
}

/** How what a level sets also applies to settings that it does not mention, instead of the value of the level above. */
const ADAPTED: { readonly [Kind in PolicyKind]?: (level: object) => Record<string, unknown> } = {
  label: withDarkTwins,
  labelPreview: withDarkTwins,
  // Sign-ins with an identity provider last as long as those with a password.
  login: ({ passwordCheckLifetime: externalLoginCheckLifetime, ...level }: Partial<PolicySettings<"login">>) => ({
    ...(externalLoginCheckLifetime && {
      passwordCheckLifetime: externalLoginCheckLifetime,
      externalLoginCheckLifetime,
    }),
    ...level,
  }),
};

/** Returns the text settings that a lower level cannot loosen; otherwise the editor whom they restrict could do so. */
function withoutLoosening(levels: readonly (Record<string, unknown> | undefined)[]): PolicySettings<"texts"> {
  return { requireTextApproval: levels.some((level) => level?.requireTextApproval === true) };
}

/**
 * Applies settings implied by others. Without password sign-in, passwords can be neither created nor reset. If a second
 * factor is required but none is permitted, the built-in ones are.
 */
export function inForce<Kind extends PolicyKind>(kind: Kind, settings: PolicySettings<Kind>): PolicySettings<Kind> {
  if (kind !== "login") return settings;
  const { allowUsernamePassword, forceMfa, forceMfaLocalOnly, secondFactors } = settings as PolicySettings<"login">;
  return {
    ...settings,
    ...(!allowUsernamePassword && { allowRegister: false, hidePasswordReset: true }),
    ...((forceMfa || forceMfaLocalOnly) &&
      secondFactors.length === 0 && { secondFactors: builtIn.login.secondFactors }),
  };
}

/**
 * Applies light-mode values to dark mode. If a level sets something for light mode only, its value also applies in dark
 * mode, instead of the dark value of the level above: the colour is adapted to dark mode, and the logo is the light
 * one.
 */
function withDarkTwins(level: Partial<LabelSettings>): Partial<LabelSettings> {
  const { primaryColor, warnColor, logo, icon } = level;
  return {
    ...(primaryColor && { primaryColorDark: primaryColor }),
    ...(warnColor && { warnColorDark: warnColor }),
    ...(logo && { logoDark: null }),
    ...(icon && { iconDark: null }),
    ...level,
  };
}
