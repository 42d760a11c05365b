// The frameworks that the wizard knows: the kind of app that is made with each, and the settings that its library needs
// beyond the safe ones of the kind. docs/clients.md lists them; a test compares the two.
import { parseUrl } from "../../ui/url";
import type { App, OidcConfig } from "./app";
import { kindOf } from "./kinds";
import { snippets } from "./snippets/all";
import type { AppKind, Snippet, StackAddresses } from "./snippets/snippet";

/** Settings that a library needs, by their names in the API. */
export interface NeededSettings {
  idTokenUserinfoAssertion?: true;
  legacyAssertionAudience?: true;
  allowAssertionReuse?: true;
  accessTokenType?: "OIDC_TOKEN_TYPE_JWT";
  accessTokenJwtType?: "JWT";
}

export type NeededSetting = keyof NeededSettings;

/** With what an app or a machine authenticates, where it can keep either. */
export type Credential = "secret" | "key";

export interface Framework {
  /** That of its snippet, if it has one. */
  id: string;
  /** Product names, the same in every language. */
  title: string;
  kind: AppKind;
  addresses?: StackAddresses;
  /** Whatever it authenticates with. */
  settings?: NeededSettings;
  /** When it authenticates with a key. */
  keySettings?: NeededSettings;
  /** The credential it is made for; the wizard suggests it. */
  credential?: Credential;
  /** Of an API that checks JWTs itself: what the apps need that call it. */
  callerSettings?: NeededSettings;
}

const NAME_IN_ID_TOKEN: Partial<Framework> = { settings: { idTokenUserinfoAssertion: true } };
const ENDPOINT_AS_AUDIENCE: Partial<Framework> = { keySettings: { legacyAssertionAudience: true } };
const JWT_CALLERS: Partial<Framework> = { callerSettings: { accessTokenType: "OIDC_TOKEN_TYPE_JWT" } };
const PLAIN_JWT_CALLERS: Partial<Framework> = {
  callerSettings: { accessTokenType: "OIDC_TOKEN_TYPE_JWT", accessTokenJwtType: "JWT" },
};

/** What the frameworks with a snippet need, by its id. Those that are missing need nothing. */
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

const withSnippet: readonly Framework[] = snippets.flatMap((snippet) => {
  const { id, title, kinds, way, addresses } = snippet;
  const [kind] = kinds;
  // The two ways of an API share names.
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

/** In the order of the wizard: those with code first. */
export const FRAMEWORKS: readonly Framework[] = [...withSnippet, ...withoutSnippet];

export const frameworksOf = (kind: AppKind): readonly Framework[] =>
  FRAMEWORKS.filter((framework) => framework.kind === kind);

export const frameworkOf = (id: string | undefined): Framework | undefined =>
  FRAMEWORKS.find((framework) => framework.id === id);

/** APIs that check JWTs themselves, which an app may call. */
export const JWT_APIS: readonly Framework[] = FRAMEWORKS.filter(({ callerSettings }) => callerSettings);

/** A setting and the framework that needs it. */
export interface SettingReason {
  setting: NeededSetting;
  framework: string;
}

export interface Chosen {
  framework: Framework | undefined;
  credential: Credential;
  /** The API whose settings for callers count. */
  calls?: Framework | undefined;
}

/** The settings beyond those of the kind, each with its reason. */
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

/** What the code of a framework needs and an app lacks, for instance because it was made for another one. */
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

/** The page's own order, with the code first that was chosen, or that the app's addresses are those of. */
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
 * Where the code of a framework comes back to: the app's own address, or, where the library chooses the path, that path
 * at the app's address. It works only if it is registered.
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
