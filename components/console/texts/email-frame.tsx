"use client";
// The mail as its readers see it, in a frame that runs no scripts and loads nothing. A form of the page is posted
// into it (server/console/preview-frame.ts). Each version gets a new frame, which is shown when it has loaded, so
// that nothing flickers and the browser's history gets no entry for every key.
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { pageToken } from "../call";
import { organizationInPath } from "../pages";

export type Scheme = "light" | "dark";
export type Width = "desktop" | "phone";

/** CSS pixels; the space that mail programs give a mail 600 wide. */
const WIDTHS: Readonly<Record<Width, number>> = { desktop: 660, phone: 375 };

export interface EmailFrameProps {
  title: string;
  /** The address of the operation `_preview`, and its body. */
  path: string;
  body: string;
  scheme: Scheme;
  width: Width;
  /** Of a page whose words can be clicked (server/console/word-picker.ts), where the only script is the service's own. */
  picker?: Picker;
}

export interface Picker {
  /** The word that is being edited. */
  chosen: string | undefined;
  onPick(word: string): void;
  /** A word was clicked that cannot be changed. */
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

  useEffect(() => {
    setVersions((before) => [...before.slice(-1), { id: (before.at(-1)?.id ?? 0) + 1, path, body, scheme }]);
  }, [path, body, scheme]);

  // Shows a screen of the full width, scaled down if there is less room. Set by script, as the page's policy allows no
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

  // Messages of other windows are none of ours: only our frames are heard, and they can only name a word.
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
    // The frame's origin is opaque, so none can be named; it learns no more than which word to mark.
    for (const frame of container.current?.querySelectorAll("iframe") ?? []) {
      frame.contentWindow?.postMessage({ word: chosen ?? null }, "*");
    }
  }, [chosen]);
  useEffect(tell, [tell]);

  // A frame that goes would take the focus of somebody who reads it by keyboard back to the top of the page.
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
  /** It goes, and has the focus. */
  onLeft(): void;
}

function VersionFrame({ version, title, isShown, sandbox, onThere, onLeft }: VersionFrameProps) {
  const name = `mail-${useId()}-${version.id}`; // another of each mail that the page shows
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
