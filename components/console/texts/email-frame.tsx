"use client";
// Shows a mail in a frame that runs no scripts and loads nothing. A form of the page is posted into the frame
// (server/console/preview-frame.ts). Each version gets a new frame, which is shown when it has loaded, so that it does
// not flicker and the browser's history gets no entry per keystroke. Nothing is loaded before the frame is near the
// visible part of the page.
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { organizationInPath } from "../../../shared/pages";
import { pageToken } from "../calls/call";

export type Scheme = "light" | "dark";
export type Width = "desktop" | "phone";

/** The widths in CSS pixels; 660 is the space that mail programs give a mail of 600. */
const WIDTHS: Readonly<Record<Width, number>> = { desktop: 660, phone: 375 };

export interface EmailFrameProps {
  title: string;
  /** The address of the operation `_preview`, and its body. */
  path: string;
  body: string;
  scheme: Scheme;
  width: Width;
  /** For a page whose words can be clicked (server/console/word-picker.ts); its only script is the service's own. */
  picker?: Picker;
}

export interface Picker {
  /** The word that is being edited. */
  chosen: string | undefined;
  onPick(word: string): void;
  /** Called when a word was clicked that cannot be changed. */
  onFixed(path: string): void;
}

interface Version {
  id: number;
  path: string;
  body: string;
  scheme: Scheme;
}

export function EmailFrame({ title, path, body, scheme, width, picker }: EmailFrameProps) {
  const [versions, setVersions] = useState<readonly Version[]>([]);
  const container = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    const near = (entries: readonly IntersectionObserverEntry[]) =>
      setNear((before) => before || entries.some(({ isIntersecting }) => isIntersecting));
    const observer = new IntersectionObserver(near, { rootMargin: "50%" });
    if (container.current) observer.observe(container.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (isNear)
      setVersions((before) => [...before.slice(-1), { id: (before.at(-1)?.id ?? 0) + 1, path, body, scheme }]);
  }, [isNear, path, body, scheme]);

  // Shows a screen of the full width, scaled down if there is less room. Set by script because the page's CSP rejects
  // style attributes in HTML.
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const scaleDown = () => {
      const scale = Math.min(1, element.clientWidth / WIDTHS[width]);
      element.style.setProperty("--screen", `${WIDTHS[width]}px`);
      element.style.setProperty("--scale", String(scale));
    };
    scaleDown();
    const observer = new ResizeObserver(scaleDown);
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);

  // Messages of other windows are ignored: only our frames are accepted, and they can only name a word.
  const heard = useRef(picker);
  heard.current = picker;
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<{ word?: unknown; fixed?: unknown } | null>) => {
      const frames = [...(container.current?.querySelectorAll("iframe") ?? [])];
      if (!frames.some(({ contentWindow }) => contentWindow === source)) return;
      if (typeof data?.word === "string") heard.current?.onPick(data.word);
      if (typeof data?.fixed === "string") heard.current?.onFixed(data.fixed);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, []);
  const chosen = picker?.chosen;
  const tell = useCallback(() => {
    // The frame has an opaque origin, so the target origin cannot be named; the message only contains the word to mark.
    for (const frame of container.current?.querySelectorAll("iframe") ?? []) {
      frame.contentWindow?.postMessage({ word: chosen ?? null }, "*");
    }
  }, [chosen]);
  useEffect(tell, [tell]);

  // Removing a focused frame would move the focus of a keyboard user to the top of the page.
  const isLeft = useRef(false);
  const onLeft = useCallback(() => {
    isLeft.current = true;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the frames
  useLayoutEffect(() => {
    if (isLeft.current) container.current?.querySelector("iframe")?.focus({ preventScroll: true });
    isLeft.current = false;
  }, [versions]);

  const keepFrom = (id: number) => setVersions((before) => before.filter((version) => version.id >= id));
  return (
    <div className="mail-screen" ref={container}>
      {versions.map((version, index) => (
        <VersionFrame
          key={version.id}
          version={version}
          title={title}
          isShown={index === 0}
          sandbox={picker ? "allow-scripts" : ""}
          onLeft={onLeft}
          onThere={() => {
            keepFrom(version.id);
            if (picker) tell();
          }}
        />
      ))}
    </div>
  );
}

interface VersionFrameProps {
  version: Version;
  title: string;
  isShown: boolean;
  sandbox: string;
  onThere(): void;
  /** Called when the frame is removed while it has the focus. */
  onLeft(): void;
}

function VersionFrame({ version, title, isShown, sandbox, onThere, onLeft }: VersionFrameProps) {
  const name = `mail-${useId()}-${version.id}`; // a unique name for each mail on the page
  const isSent = useRef(false);
  useEffect(() => {
    isSent.current = true;
    sendInto(name, version);
  }, [name, version]);
  const frame = useRef<HTMLIFrameElement>(null);
  useLayoutEffect(() => {
    const own = frame.current;
    return () => {
      if (own && own === document.activeElement) onLeft();
    };
  }, [onLeft]);
  return (
    <iframe
      ref={frame}
      name={name}
      title={title}
      sandbox={sandbox}
      className={isShown ? undefined : "coming"}
      aria-hidden={isShown ? undefined : true}
      tabIndex={isShown ? undefined : -1}
      onLoad={() => isSent.current && onThere()}
    />
  );
}

function sendInto(target: string, { path, body, scheme }: Version): void {
  const csrf = pageToken();
  const organizationId = organizationInPath(location.pathname);
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/console/api/previews";
  form.target = target;
  const fields = { csrf, path, body, scheme, ...(organizationId === undefined ? {} : { organizationId }) };
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
