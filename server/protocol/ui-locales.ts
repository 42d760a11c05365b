/**
 * Languages (OIDC Core §3.1.2.1 ui_locales, RFC 9110 §12.5.4 Accept-Language, RFC 4647 §3.4 lookup, BCP 47). Nothing in
 * this file can fail a request: texts that are not language tags are dropped (OIDC Core: "an error SHOULD NOT be the
 * result").
 */
/** The maximum length of a header in characters. */
const MAX_HEADER_LENGTH = 1000;
const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 35; // RFC 5646 §4.4.1

/**
 * Norwegian without a variant means Bokmål, as in CLDR, whose `nb` inherits from `no`. BCP 47 has no alias for it, as
 * Nynorsk is Norwegian, too.
 */
const NORWEGIAN = /^no(?=-|$)/;

/** Returns the canonical form of a well-formed tag (`DE-ch` → `de-CH`, `no` → `nb`), else undefined. */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > MAX_TAG_LENGTH) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0]?.replace(NORWEGIAN, "nb");
  } catch {
    return undefined; // RangeError: not well-formed
  }
}

function canonicalLocales(tags: readonly string[]): string[] {
  const found = tags.map(canonicalLocale).filter((tag) => tag !== undefined);
  return [...new Set(found)].slice(0, MAX_TAGS);
}

/** Returns the well-formed tags of ui_locales in order of preference, in canonical form. */
export function parseUiLocales(raw: string | undefined): string[] {
  return raw === undefined || raw.length > MAX_HEADER_LENGTH ? [] : canonicalLocales(raw.split(" "));
}

/**
 * Returns the well-formed tags of an Accept-Language header, most preferred first, in canonical form; `*` and weight 0
 * are omitted.
 */
export function parseAcceptLanguage(header: string | undefined): string[] {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return [];
  const weighted = header.split(",").flatMap((entry) => {
    const match = /^\s*([A-Za-z0-9-]+)\s*(?:;\s*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(entry);
    const weight = Number(match?.[2] ?? 1);
    return match?.[1] !== undefined && weight > 0 ? [{ tag: match[1], weight }] : [];
  });
  return canonicalLocales(weighted.sort((a, b) => b.weight - a.weight).map(({ tag }) => tag));
}

/**
 * Returns the supported locale for the first wanted tag that has one: the same tag, else a wider one (`de-CH` → `de`),
 * else one of the same language and script (`zh-TW` → `zh-Hant`). Spelled as in `supported`; undefined if none fits.
 */
export function negotiateLocale(wanted: readonly string[], supported: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const locale = canonicalLocale(tag);
    const found = locale === undefined ? undefined : bestMatch(locale, supported);
    if (found !== undefined) return found;
  }
  return undefined;
}

function bestMatch(wanted: string, supported: readonly string[]): string | undefined {
  const known = offersOf(supported);
  const same = known.find(({ offered }) => offered === wanted);
  if (same) return same.tag;
  const likely = new Intl.Locale(wanted).maximize();
  let best: { tag: string; score: number } | undefined;
  for (const offer of known) {
    const score = closeness(wanted, likely, offer);
    if (score > 0 && (best === undefined || score > best.score)) best = { tag: offer.tag, score };
  }
  return best?.tag;
}

/** A supported tag as it is spelled, in canonical form, and with its likely script (UTS #35, likely subtags). */
interface Offer {
  tag: string;
  offered: string;
  likely: Intl.Locale;
}

const offers = new WeakMap<readonly string[], Offer[]>();

/** Returns a list with its canonical forms, computed once per list because every page uses the same one. */
function offersOf(supported: readonly string[]): Offer[] {
  let known = offers.get(supported);
  if (!known) {
    known = supported.flatMap((tag) => {
      const offered = canonicalLocale(tag);
      return offered === undefined ? [] : [{ tag, offered, likely: new Intl.Locale(offered).maximize() }];
    });
    offers.set(supported, known);
  }
  return known;
}

/** Returns 0 for no match. The same script is best (longest common tag first), then a wider tag in another script. */
function closeness(wanted: string, likely: Intl.Locale, offer: Offer): number {
  const wider = wanted.startsWith(`${offer.offered}-`) ? offer.offered.length : 0;
  const sameScript = likely.language === offer.likely.language && likely.script === offer.likely.script;
  return (sameScript ? 100 : 0) + wider;
}
