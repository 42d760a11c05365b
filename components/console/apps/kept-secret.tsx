"use client";
// Keeps what the service no longer knows while the views of an app are open: the new client secret, and the generated
// secrets of the application's `.env`. The values are in the memory of the page. They are in the session storage of the
// browser tab only on the way to the app's page: from the wizard, from a trial in the playground, or while the document
// is loaded again, for example in another language.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { beforeNextDocument } from "../calls/leaving";
import { generatedSecret } from "./environment";

export interface KeptSecrets {
  clientSecret?: string;
  /** The application's own secrets, by their names in `.env`. */
  own: Readonly<Record<string, string>>;
}

const keyOf = (path: string) => `kept-secrets:${path}`;

/** The longest way to the app's page, in milliseconds; a trial may include a registration. */
const LONGEST_WAY = 15 * 60_000;

/**
 * Hands the values over to the page of the app in this browser tab.
 * @param address the address of that page
 */
export function handOverSecrets(address: string, secrets: KeptSecrets): void {
  const until = Date.now() + LONGEST_WAY;
  sessionStorage.setItem(keyOf(new URL(address, location.href).pathname), JSON.stringify({ ...secrets, until }));
}

/** Takes the values that another page handed over; they are then in memory only. */
function takeSecrets(): KeptSecrets | undefined {
  const key = keyOf(location.pathname);
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  sessionStorage.removeItem(key);
  const { until, ...secrets } = JSON.parse(text) as KeptSecrets & { until: number };
  return until > Date.now() ? secrets : undefined;
}

/** Returns generated secrets for names; a name has the same secret each time. */
export function ownSecrets(known: Readonly<Record<string, string>> = {}): {
  secretFor(name: string): string;
  all(): Readonly<Record<string, string>>;
} {
  const made = { ...known };
  const secretFor = (name: string): string => {
    made[name] ??= generatedSecret();
    return made[name];
  };
  return { secretFor, all: () => ({ ...made }) };
}

interface Keeper {
  /** Undefined if the secret was shown earlier, or the app has none. */
  clientSecret: string | undefined;
  /** Returns a secret of the application itself; undefined until the page's script runs. */
  secretFor: ((name: string) => string) | undefined;
  /** Keeps a new client secret. */
  keep(clientSecret: string): void;
  /** Hands everything over before the browser leaves the page and comes back. */
  handOver(): void;
}

const Kept = createContext<Keeper>({
  clientSecret: undefined,
  secretFor: undefined,
  keep() {},
  handOver() {},
});

export const useKeptSecrets = (): Keeper => useContext(Kept);

/** Surrounds the views of an app, so that the values last until they are left. */
export function SecretKeeper({ children }: { children: ReactNode }) {
  const [kept, setKept] = useState<{ clientSecret?: string; own: ReturnType<typeof ownSecrets> }>();
  useEffect(() => {
    const { clientSecret, own } = takeSecrets() ?? {};
    setKept((before) => before ?? { clientSecret, own: ownSecrets(own) });
  }, []);
  const keeper = useMemo<Keeper>(
    () => ({
      clientSecret: kept?.clientSecret,
      secretFor: kept?.own.secretFor,
      keep: (clientSecret) => setKept((before) => ({ own: before?.own ?? ownSecrets(), clientSecret })),
      handOver: () => {
        if (kept) handOverSecrets(location.pathname, { clientSecret: kept.clientSecret, own: kept.own.all() });
      },
    }),
    [kept],
  );
  useEffect(() => beforeNextDocument(keeper.handOver), [keeper]);
  return <Kept value={keeper}>{children}</Kept>;
}
