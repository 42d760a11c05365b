"use client";
// The settings for all Base UI components of a page: no inline style elements, which the page's CSP rejects (their
// rules are in our style sheets), the text direction, and the available languages.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import type { ReactNode } from "react";
import type { LocaleEntry } from "../../../messages/locales";
import { Toasts } from "../calls/toasts";
import { LanguagesProvider } from "../parts/known-languages";
import "../parts/message-locale";

export interface FrameProvidersProps {
  direction: "ltr" | "rtl";
  /** The languages of the instance, sorted by name. */
  languages: readonly LocaleEntry[];
  children: ReactNode;
}

export function FrameProviders({ direction, languages, children }: FrameProvidersProps) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={direction}>
        <LanguagesProvider known={languages}>
          <Toasts>{children}</Toasts>
        </LanguagesProvider>
      </DirectionProvider>
    </CSPProvider>
  );
}
