// Makes text from a user or an application safe within our sentences. React escapes markup; what remains is direction:
// an override character (CVE-2021-42574) reverses the text after it and can make one address look like another, and
// right-to-left text would reorder our sentence.
import type { ReactNode } from "react";

// Overrides and embeddings U+202A–202E, isolates U+2066–2069. The plain marks U+200E, U+200F and U+061C are kept: names
// in Arabic and Hebrew need them, and inside <bdi> they affect nothing else.
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

// Control, format, surrogate and private-use characters and line separators, which are invisible in an address.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Returns a name without the characters that only change the direction of text. */
export function plainName(value: string): string {
  return value.replace(DIRECTION_CONTROLS, "");
}

/**
 * Returns a received value with every invisible character spelled out, as in `a\u{202E}b`: for developers, never a
 * link.
 */
export function visibleText(value: string): string {
  return value.replace(INVISIBLE, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `\\u{${hex}}`;
  });
}

/** The tag `<bdi>` of a message: isolates its content from the direction of the sentence (UAX #9). */
export const bdi = { bdi: (chunks: ReactNode) => <bdi>{chunks}</bdi> };

/** A name outside of a sentence. */
export function Name({ children }: { children: string }) {
  return <bdi>{plainName(children)}</bdi>;
}

// A code such as WDJB-MJHT; words of natural languages do not have this form.
const CODE = /([A-Z0-9]{4}-[A-Z0-9]{4})/;

/** Returns a text that does not wrap within a code of eight letters and digits, which users read, compare and type. */
export function withCodes(text: string): ReactNode[] {
  return text.split(CODE).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <bdi className="code" key={part}>
        {part}
      </bdi>
    ),
  );
}

/**
 * A login name outside of a sentence. It wraps before the `@` rather than inside a word. The part from the `@` on is
 * marked, because a branding may hide it.
 */
export function LoginName({ children, isOneLine = false }: { children: string; isOneLine?: boolean }) {
  const [first, ...rest] = plainName(children).split("@");
  return (
    <bdi>
      {first}
      {rest.length > 0 && (
        <span className="suffix">
          {!isOneLine && <wbr />}@{rest.join("@")}
        </span>
      )}
    </bdi>
  );
}

export interface WhoProps {
  displayName: string;
  loginName: string;
  /** Further lines. */
  children?: ReactNode;
}

/** The owner of an account, next to its picture: the name above the login name, or the login name alone. */
export function Who({ displayName, loginName, children }: WhoProps) {
  return (
    <span className="who">
      <strong>
        {hasName({ displayName, loginName }) ? <Name>{displayName}</Name> : <LoginName>{loginName}</LoginName>}
      </strong>
      {hasName({ displayName, loginName }) && (
        <span>
          <LoginName>{loginName}</LoginName>
        </span>
      )}
      {children}
    </span>
  );
}

/** Whether the displayed name differs from the login name, which replaces a missing name. */
export function hasName({ displayName, loginName }: { displayName: string; loginName: string }): boolean {
  return displayName !== "" && displayName !== loginName;
}

/** Returns the values for a sentence about a user: the message's `{name}`, and the `<bdi>` around it. */
export function loginNameIn(loginName: string) {
  return { bdi: () => <LoginName>{loginName}</LoginName>, name: loginName };
}

/** The first character of a name, as a round picture, hidden from screen readers. */
export function Initial({ of }: { of: string }) {
  const [first = ""] = plainName(of).trim();
  return (
    <span className="initial" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}
