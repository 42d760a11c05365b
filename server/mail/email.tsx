/**
 * The layout of every mail as HTML. The tables, conditional comments and inline styles that mail programs need come
 * from react-email; tables only serve presentation. Only the organization's own logo is loaded, and nothing tracks who
 * opened the mail or followed a link.
 */
import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Html } from "@react-email/html";
import { Preview } from "@react-email/preview";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import { type CSSProperties, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Palette } from "../directory/palette/palette";
import type { Branding, EmailLogo } from "./branding";
import type { Block, EmailContent, ForeignWriting, Paragraph, Piece } from "./email-content";
import { programStyle } from "./email-style";

/** Returns the HTML part. */
export function emailHtml(email: EmailContent): string {
  // The doctype that mail programs expect; they do not fetch it.
  const doctype =
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';
  return `${doctype}${renderToStaticMarkup(<EmailDocument {...email} />)}`;
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif";
const MONOSPACE = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

/**
 * Long addresses and names are wider than a phone, so words may be broken, also in tables; pages:
 * components/ui/base.css.
 */
const BREAKING: CSSProperties = { wordBreak: "break-word", overflowWrap: "anywhere" };
const BREAKING_IN: Readonly<Record<string, CSSProperties>> = {
  ko: { wordBreak: "keep-all" },
  ja: { wordBreak: "auto-phrase" },
};

/**
 * Returns the attributes of an element in a fallback language, so that it is read aloud and ordered by that language;
 * otherwise a full stop would be at the wrong end. Its alignment follows the mail.
 */
const written = (writing: ForeignWriting | undefined) => writing && { lang: writing.language, dir: writing.direction };

function EmailDocument(email: EmailContent) {
  const { language, direction, branding, button } = email;
  const { base } = branding;
  const align = direction === "rtl" ? "right" : "left";
  const paragraph: CSSProperties = { margin: "0 0 16px", fontSize: "16px", lineHeight: "25px", color: base.ink };
  const small: CSSProperties = { margin: "0 0 8px", fontSize: "13px", lineHeight: "20px", color: base.quiet };
  return (
    <Html lang={language} dir={direction}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={branding.colorScheme} />
        <meta name="supported-color-schemes" content={branding.colorScheme} />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{email.subject}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: colours only, checked where branding is set */}
        <style dangerouslySetInnerHTML={{ __html: programStyle(branding) }} />
      </Head>
      {/* Body puts its style on a cell that no class reaches; the section within covers it and knows dark mode. */}
      <Body className="ground" style={{ margin: 0, padding: 0, backgroundColor: base.ground, fontFamily: FONT }}>
        {email.preHeader.text !== "" && <Preview {...written(email.preHeader.writing)}>{email.preHeader.text}</Preview>}
        {/* Web mail drops <html> and <body>, so the language and its direction are said here too. */}
        {/* biome-ignore lint/a11y/useSemanticElements: mail programs do not know <article> */}
        <div
          role="article"
          aria-roledescription="email"
          aria-label={email.subject}
          lang={language}
          dir={direction}
          style={{ ...BREAKING, ...BREAKING_IN[language] }}
        >
          <Section className="ground" style={{ backgroundColor: base.ground, padding: "24px 12px" }}>
            <Container dir={direction} style={{ maxWidth: "600px", margin: "0 auto" }}>
              <Section style={{ padding: "0 8px 16px", textAlign: align }}>
                <Sender branding={branding} />
              </Section>
              <Section
                className="surface"
                style={{
                  backgroundColor: base.surface,
                  border: `1px solid ${base.line}`,
                  borderRadius: "12px",
                  padding: "32px 28px 16px",
                  textAlign: align,
                }}
              >
                {email.warning && (
                  <Text
                    {...written(email.warning.writing)}
                    className="ink"
                    style={{ ...small, margin: "0 0 20px", color: base.ink }}
                  >
                    <Lines of={email.warning.lines} />
                  </Text>
                )}
                {email.title.length > 0 && (
                  <h1
                    {...written(email.title[0]?.writing)}
                    className="ink"
                    style={{
                      margin: "0 0 20px",
                      fontSize: "24px",
                      lineHeight: "32px",
                      fontWeight: 600,
                      color: base.ink,
                    }}
                  >
                    <Inline paragraphs={email.title} />
                  </h1>
                )}
                {[...email.greeting, ...email.text].map(({ lines, writing }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
                  <Text key={index} {...written(writing)} className="ink" style={paragraph}>
                    <Lines of={lines} />
                  </Text>
                ))}
                {button && <LinkButton button={button} palette={base} small={small} />}
                {email.second?.lead && (
                  <Text {...written(email.second.lead.writing)} className="ink" style={paragraph}>
                    <Lines of={email.second.lead.lines} />
                  </Text>
                )}
                {email.second && <SecondLink {...email.second} palette={base} small={small} />}
                {email.notes.map(({ lines, writing }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
                  <Text key={index} {...written(writing)} className="quiet" style={small}>
                    <Lines of={lines} />
                  </Text>
                ))}
              </Section>
              <Section style={{ padding: "20px 8px 0", textAlign: align }}>
                {email.footer.map(({ lines, writing }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
                  <Text key={index} {...written(writing)} className="quiet" style={small}>
                    <Lines of={lines} />
                  </Text>
                ))}
              </Section>
            </Container>
          </Section>
        </div>
      </Body>
    </Html>
  );
}

function Sender({ branding: { name, logo, darkLogo, base } }: { branding: Branding }) {
  if (logo !== undefined) {
    return (
      <>
        <Logo {...logo} name={name} className="logo" display="block" />
        {darkLogo && <Logo {...darkLogo} name={name} className="night" display="none" />}
      </>
    );
  }
  return (
    <Text
      className="accent"
      style={{ margin: 0, fontSize: "16px", lineHeight: "24px", fontWeight: 600, color: base.accent }}
    >
      <bdi>{name}</bdi>
    </Text>
  );
}

/** The logo, with the name as alternative text. */
function Logo(logo: EmailLogo & { name: string; className: string; display: "block" | "none" }) {
  const { url, name, className, width, height, display } = logo;
  const style = { display, border: 0, fontSize: "16px", fontWeight: 600, maxWidth: "100%" };
  // biome-ignore lint/performance/noImgElement: a mail, not a page of Next
  return <img className={className} src={url} alt={name} width={width} height={height} style={style} />;
}

interface LinkButtonProps {
  button: NonNullable<EmailContent["button"]>;
  palette: Palette;
  small: CSSProperties;
}

/** A button with its URL below it, for readers who do not trust or cannot use buttons. */
function LinkButton({ button, palette, small }: LinkButtonProps) {
  return (
    <>
      <Section style={{ padding: "8px 0 24px" }}>
        <Button
          {...written(button.words.writing)}
          className="button"
          href={button.url}
          style={{
            backgroundColor: palette.primary,
            color: palette.onPrimary,
            border: `1px solid ${palette.primaryLine}`,
            borderRadius: "8px",
            padding: "13px 24px",
            fontSize: "16px",
            fontWeight: 600,
            textAlign: "center",
          }}
        >
          {button.words.text}
        </Button>
      </Section>
      <Text {...written(button.fallback.writing)} className="quiet" style={{ ...small, margin: "0 0 2px" }}>
        {button.fallback.text}
      </Text>
      <Text style={{ ...small, margin: "0 0 16px", wordBreak: "break-all" }}>
        <a className="accent" dir="ltr" href={button.url} style={{ color: palette.accent }}>
          {button.url}
        </a>
      </Text>
    </>
  );
}

interface SecondLinkProps extends NonNullable<EmailContent["second"]>, Pick<LinkButtonProps, "palette" | "small"> {}

/** The link that few readers need; less prominent than the button. */
function SecondLink({ words, url, palette: { accent: color }, small }: SecondLinkProps) {
  return (
    <Text style={small}>
      <a
        {...written(words.writing)}
        className="accent"
        href={url}
        style={{ color, fontSize: "16px", lineHeight: "25px", fontWeight: 600 }}
      >
        {words.text}
      </a>
      <br />
      <a className="accent" dir="ltr" href={url} style={{ color, wordBreak: "break-all" }}>
        {url}
      </a>
    </Text>
  );
}

/** Paragraphs as lines, as headings and buttons cannot contain paragraphs. */
function Inline({ paragraphs }: { paragraphs: readonly Block[] }) {
  return <Lines of={paragraphs.flatMap(({ lines }) => lines)} />;
}

function Lines({ of }: { of: Paragraph }) {
  return of.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
    <Fragment key={index}>
      {index > 0 && <br />}
      {line.map(piece)}
    </Fragment>
  ));
}

/**
 * Isolates the direction of a value from that of the surrounding text (UAX #9); formats a code for reading and copying.
 */
function piece(of: Piece, index: number): ReactNode {
  if (typeof of === "string") return of;
  if (of.kind === "value") {
    return <bdi key={index}>{of.value}</bdi>;
  }
  const style = { fontFamily: MONOSPACE, fontWeight: 600, letterSpacing: "0.04em", whiteSpace: "nowrap" } as const;
  return (
    <bdi key={index} dir="ltr" style={style}>
      {of.value}
    </bdi>
  );
}
