// A page of the documentation, its index and its search. These are static documents without scripts, identical for
// every reader.
import { Fragment, type ReactNode } from "react";
import { Mark, PRODUCT_NAME } from "../ui/logo";

export interface DocumentLink {
  address: string;
  title: string;
  about: string;
}
export interface DocumentFrame {
  title: string;
  style: string;
  /** The links by the names of their groups. */
  links: readonly { group: string; documents: readonly DocumentLink[] }[];
  /** The address of this page. */
  address: string;
  query?: string;
  /** The address and the label of the search in the header. */
  search?: { address: string; label: string };
  /** An inline script, allowed by its hash; the page is complete without it. */
  script?: string;
  children: ReactNode;
}

const EVERY_DOCUMENT = { address: "/docs/search", label: "Search" };

export function DocumentPage(frame: DocumentFrame) {
  const { title, style, links, address, query, search = EVERY_DOCUMENT, script, children } = frame;
  return (
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: rendered by react-dom/server, outside Next */}
      <head>
        <meta charSet="utf-8" />
        <title>{`${title} · ${PRODUCT_NAME}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <header>
          <a className="brand" href="/docs">
            <Mark /> {PRODUCT_NAME}
          </a>
          <search>
            <form action={search.address} className="search">
              <label htmlFor="q">{search.label}</label>
              <input id="q" name="q" type="search" defaultValue={query} maxLength={200} />
              <button type="submit">Search</button>
            </form>
          </search>
          <a className="contents" href="#documents">
            Contents
          </a>
          <a href="/docs/api">API</a>
          <a href="/console">Console</a>
        </header>
        <div className="frame">
          <main id="content">{children}</main>
          <nav aria-label="Documents" id="documents">
            {links.map(({ group, documents }) => (
              <Fragment key={group}>
                <h2>{group}</h2>
                <ul>
                  {documents.map((one) => (
                    <li key={one.address}>
                      <a href={one.address} aria-current={one.address === address ? "page" : undefined}>
                        {one.title}
                      </a>
                    </li>
                  ))}
                </ul>
              </Fragment>
            ))}
          </nav>
        </div>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash */}
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}

export function DocumentText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from our own documents, with HTML in them escaped
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function DocumentIndex({ links }: Pick<DocumentFrame, "links">) {
  return (
    <>
      <h1>Documentation</h1>
      {links.map(({ group, documents }) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul className="fields">
            {documents.map(({ address, title, about }) => (
              <li key={address}>
                <a href={address}>{title}</a>
                <p>{about}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <h2>Reference</h2>
      <p>
        <a href="/docs/api">Every operation of the APIs</a>, with its permission, fields and an example.
      </p>
    </>
  );
}

export interface FoundSection {
  address: string;
  title: string;
  heading: string;
  excerpt: string;
}

/**
 * The results of a search.
 * @param elsewhere another search with the same words
 */
export function DocumentResults({
  query,
  found,
  elsewhere,
}: {
  query: string;
  found: readonly FoundSection[];
  elsewhere: { address: string; label: string };
}) {
  return (
    <>
      <h1>Search</h1>
      <p role="status">{saysWhat(query, found.length)}</p>
      {query !== "" && (
        <p>
          <a href={`${elsewhere.address}?q=${encodeURIComponent(query)}`}>{elsewhere.label}</a>
        </p>
      )}
      <ul className="fields">
        {found.map(({ address, title, heading, excerpt }) => (
          <li key={address}>
            <a href={address}>{heading === "" ? title : `${title}: ${heading}`}</a>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function saysWhat(query: string, count: number): string {
  if (query === "") return "Enter a search term.";
  if (count === 0) return `No results for “${query}”. Try fewer or different words.`;
  return `${count === 1 ? "One section" : `${count} sections`} for “${query}”`;
}
