// The frameworks that the wizard knows: the kind of app created for each, and the settings that its library needs in
// addition to the safe defaults of the kind. docs/clients.md lists them; a test compares both.
import { parseUrl } from "../../ui/url";
import type { App, OidcConfig } from "./app";
import { EXAMPLES } from "./generated/examples";
import { kindOf } from "./kinds";
import type { AppKind, Snippet, StackAddresses, TokenCheck } from "./snippet";

/** Settings that a library needs, by their names in the API. */
export interface NeededSettings {
  idTokenUserinfoAssertion?: true;
  legacyAssertionAudience?: true;
  allowAssertionReuse?: true;
  accessTokenType?: "OIDC_TOKEN_TYPE_JWT";
  accessTokenJwtType?: "JWT";
}

export type NeededSetting = keyof NeededSettings;

/** The credential that an app or a machine authenticates with. */
export type Credential = "secret" | "key";

export interface Framework {
  /** The id of its snippet, if it has one. */
  id: string;
  /** The product names, identical in every language. */
  title: string;
  kind: AppKind;
  addresses?: StackAddresses;
  /** The settings that apply with any credential. */
  settings?: NeededSettings;
  /** The additional settings for authentication with a key. */
  keySettings?: NeededSettings;
  /** The credential that the framework is made for; the wizard suggests it. */
  credential?: Credential;
  /** For an API that verifies JWTs itself: the settings that its callers need. */
  callerSettings?: NeededSettings;
}

const NAME_IN_ID_TOKEN: Partial<Framework> = { settings: { idTokenUserinfoAssertion: true } };
const ENDPOINT_AS_AUDIENCE: Partial<Framework> = { keySettings: { legacyAssertionAudience: true } };
const JWT_CALLERS: Partial<Framework> = { callerSettings: { accessTokenType: "OIDC_TOKEN_TYPE_JWT" } };
const PLAIN_JWT_CALLERS: Partial<Framework> = {
  callerSettings: { accessTokenType: "OIDC_TOKEN_TYPE_JWT", accessTokenJwtType: "JWT" },
};

/** The needs of the frameworks that have a snippet, by snippet id. Frameworks that are missing here need nothing. */
const NEEDS: Readonly<Record<string, Partial<Framework>>> = {
  next: NAME_IN_ID_TOKEN,
  passport: NAME_IN_ID_TOKEN,
  spring: ENDPOINT_AS_AUDIENCE,
  django: ENDPOINT_AS_AUDIENCE,
  "keycloak-js": { settings: { accessTokenType: "OIDC_TOKEN_TYPE_JWT" } },
  "go-machine": { ...ENDPOINT_AS_AUDIENCE, credential: "key" },
  "passport-zitadel": { keySettings: { allowAssertionReuse: true }, credential: "key" },
  "express-jwt": JWT_CALLERS,
  "spring-jwt": JWT_CALLERS,
  "spring-issuer": PLAIN_JWT_CALLERS,
  "go-jwt": JWT_CALLERS,
  "fastapi-jwt": JWT_CALLERS,
  "aspnet-jwt": JWT_CALLERS,
};

const withSnippet: readonly Framework[] = EXAMPLES.flatMap((snippet) => {
  const { id, title, kinds, way, addresses } = snippet;
  const [kind] = kinds;
  // The two variants of an API share a name.
  return kind ? [{ id, title: way === "jwt" ? `${title} (JWT)` : title, kind, addresses, ...NEEDS[id] }] : [];
});

const HOME = "http://localhost:3000/";
const at = (path: string, hasFixedPath = false): Partial<Framework> => ({
  addresses: { redirectUri: HOME + path, postLogoutRedirectUri: HOME, hasFixedPath },
});

const withoutSnippet: readonly Framework[] = [
  { id: "mozilla-django-oidc", title: "Python · mozilla-django-oidc", kind: "web", ...at("oidc/callback/", true) },
  { id: "pyoidc", title: "Python · pyoidc", kind: "web", ...at("callback"), ...ENDPOINT_AS_AUDIENCE },
  {
    id: "mod-auth-openidc",
    title: "Apache · mod_auth_openidc",
    kind: "web",
    ...at("redirect_uri"),
    ...ENDPOINT_AS_AUDIENCE,
  },
  { id: "pac4j", title: "Java · pac4j", kind: "web", ...at("callback?client_name=OidcClient") },
  { id: "go-device", title: "Go · x/oauth2, device code", kind: "device" },
  {
    id: "nimbus",
    title: "Java · Nimbus JWTBearerGrant",
    kind: "machine",
    ...ENDPOINT_AS_AUDIENCE,
    credential: "key",
  },
  { id: "fastapi-zitadel-auth", title: "Python · fastapi-zitadel-auth (JWT)", kind: "api", ...PLAIN_JWT_CALLERS },
];

/** All frameworks in the order of the wizard: those with code first. */
export const FRAMEWORKS: readonly Framework[] = [...withSnippet, ...withoutSnippet];

export const frameworksOf = (kind: AppKind): readonly Framework[] =>
  FRAMEWORKS.filter((framework) => framework.kind === kind);

export const frameworkOf = (id: string | undefined): Framework | undefined =>
  FRAMEWORKS.find((framework) => framework.id === id);

/** The APIs that verify JWTs themselves and that an app may call. */
export const JWT_APIS: readonly Framework[] = FRAMEWORKS.filter(({ callerSettings }) => callerSettings);

/** A setting and the framework that needs it. */
export interface SettingReason {
  setting: NeededSetting;
  framework: string;
}

export interface Chosen {
  framework: Framework | undefined;
  credential: Credential;
  /** The API whose settings for callers apply. */
  calls?: Framework | undefined;
}

/** Returns the settings beyond the defaults of the kind, each with its reason. */
export function neededSettings({ framework, credential, calls }: Chosen): {
  settings: NeededSettings;
  reasons: readonly SettingReason[];
} {
  const own = { ...framework?.settings, ...(credential === "key" ? framework?.keySettings : undefined) };
  const of = (settings: NeededSettings | undefined, title: string | undefined): SettingReason[] =>
    Object.keys(settings ?? {}).map((setting) => ({ setting: setting as NeededSetting, framework: title ?? "" }));
  return {
    settings: { ...own, ...calls?.callerSettings },
    reasons: [...of(own, framework?.title), ...of(calls?.callerSettings, calls?.title)],
  };
}

/**
 * Returns the settings that a framework's code needs and the app lacks, for example because it was created for another
 * framework.
 */
export function missingSettings(id: string, app: App): { settings: NeededSettings; reasons: readonly SettingReason[] } {
  const has = { ...(app.oidcConfig ?? app.apiConfig) } as Record<string, unknown>;
  const credential = String(has.authMethodType).endsWith("_PRIVATE_KEY_JWT") ? "key" : "secret";
  const framework = frameworkOf(id);
  const { settings, reasons } = neededSettings({
    framework: framework?.kind === kindOf(app) ? framework : undefined,
    credential,
  });
  const lacks = reasons.filter(({ setting }) => has[setting] !== settings[setting]);
  return { settings: Object.fromEntries(lacks.map(({ setting }) => [setting, settings[setting]])), reasons: lacks };
}

/**
 * Returns the snippets of a kind.
 * @param way how an API checks tokens; undefined for all other kinds
 */
export const snippetsFor = (kind: AppKind, way?: TokenCheck): readonly Snippet[] =>
  EXAMPLES.filter((snippet) => snippet.kinds.includes(kind) && snippet.way === way);

/**
 * Sorts the snippets: the chosen one first, else the one whose address the app has registered; the others keep their
 * order.
 */
export function inOrder(
  list: readonly Snippet[],
  chosenId: string | undefined,
  redirectUris: readonly string[],
): Snippet[] {
  const isMeant = ({ id }: Snippet) => id === chosenId;
  const isRegistered = ({ addresses }: Snippet) =>
    addresses !== undefined && redirectUris.includes(addresses.redirectUri);
  const first = list.find(isMeant) ?? list.find(isRegistered);
  return first ? [first, ...list.filter((one) => one !== first)] : [...list];
}

/**
 * Returns the redirect URI of a framework's code: the app's own address, or, if the library chooses the path, that path
 * at the app's origin. It works only if it is registered.
 */
export function redirectUriFor(
  { addresses }: Pick<Framework, "addresses">,
  { redirectUris }: Pick<OidcConfig, "redirectUris">,
): string | undefined {
  const [first] = redirectUris;
  if (!addresses?.hasFixedPath) return first ?? addresses?.redirectUri;
  const { pathname } = new URL(addresses.redirectUri);
  const registered = redirectUris.find((uri) => parseUrl(uri)?.pathname === pathname);
  if (registered !== undefined) return registered;
  const origin = first !== undefined && /^https?:/.test(first) ? parseUrl(first)?.origin : undefined;
  return origin === undefined ? addresses.redirectUri : origin + pathname;
}
