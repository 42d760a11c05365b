"use client";
// The facts of the current page for the frame, which is rendered once and stays while pages change.
import { usePathname } from "next/navigation";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { FrameContext, type FrameFacts, isSameFrame } from "../../components/console/shell/frame-facts";

/** @param first the facts of the page that was loaded with the document */
export function FrameOfPage({ first, children }: { first: FrameFacts; children: ReactNode }) {
  const path = usePathname();
  const [shown, setShown] = useState(first);
  const show = useCallback((facts: FrameFacts) => setShown((now) => (isSameFrame(now, facts) ? now : facts)), []);
  const frame = useMemo(() => ({ ...shown, path, show }), [shown, path, show]);
  return <FrameContext value={frame}>{children}</FrameContext>;
}
