"use client";
// Controlled inputs, which are disabled until the page's script runs, because a choice made before would be lost. Only
// the fieldset is rendered again then.
import type { ReactNode } from "react";
import { useReady } from "./use-ready";

export interface ReadyFieldsetProps {
  className: string;
  isDisabled: boolean;
  children: ReactNode;
}

export function ReadyFieldset({ className, isDisabled, children }: ReadyFieldsetProps) {
  const isReady = useReady();
  return (
    <fieldset className={className} disabled={isDisabled || !isReady}>
      {children}
    </fieldset>
  );
}
