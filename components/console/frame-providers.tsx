"use client";
// The settings for all Base UI components of a page: no style elements in the document, which the page's policy refuses
// (their rules stand in our stylesheets), and the direction of writing.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import type { ReactNode } from "react";
import { Toasts } from "./toasts";

export function FrameProviders({ direction, children }: { direction: "ltr" | "rtl"; children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={direction}>
        <Toasts>{children}</Toasts>
      </DirectionProvider>
    </CSPProvider>
  );
}
